package io.zarrengine.zarr.plan;

import java.util.List;

/** The selected positions of a chunk: at least one region, none of them empty. */
public interface WantedRegions {
    /** {@return the number of regions} */
    int size();

    /**
     * {@return a region; the next call may change it}
     *
     * @param i index of the region
     */
    Region get(int i);

    /** {@return all regions, which do not change later} */
    List<Region> toList();

    /**
     * {@return unchanging regions}
     *
     * @param regions the list, which must not change
     */
    static WantedRegions of(List<Region> regions) {
        return new Listed(regions);
    }

    /**
     * Regions in a list.
     *
     * @param regions the list
     */
    record Listed(List<Region> regions) implements WantedRegions {
        @Override
        public int size() {
            return regions.size();
        }

        @Override
        public Region get(int i) {
            return regions.get(i);
        }

        @Override
        public List<Region> toList() {
            return regions;
        }
    }
}
