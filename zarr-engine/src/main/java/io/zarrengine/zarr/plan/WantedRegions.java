package io.zarrengine.zarr.plan;

import java.util.List;

/** The positions wanted of a chunk: at least one region, none of them empty. */
public interface WantedRegions {
    /** {@return how many regions there are} */
    int size();

    /**
     * {@return a region; it may change when another one is asked for}
     *
     * @param i which
     */
    Region get(int i);

    /** {@return all of them, which stay as they are} */
    List<Region> toList();

    /**
     * {@return regions that stay as they are}
     *
     * @param regions the list, which must not change
     */
    static WantedRegions of(List<Region> regions) {
        return new Listed(regions);
    }

    /**
     * WantedRegions that were made before.
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
