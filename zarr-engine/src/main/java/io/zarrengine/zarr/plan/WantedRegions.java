package io.zarrengine.zarr.plan;

import java.util.List;

/** The selected positions of a chunk: at least one region, none of them empty. */
public interface WantedRegions {
    /** {@return the number of regions} */
    int size();

    /**
     * {@return a region; the next call may change it}
     *
     * @param i the region's number
     */
    Region get(int i);

    /** {@return all regions; later calls do not change them} */
    List<Region> toList();

    /**
     * {@return regions that do not change}
     *
     * @param regions the list, which must not change
     */
    static WantedRegions of(List<Region> regions) {
        return new Listed(regions);
    }

    /**
     * Regions from a list.
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
