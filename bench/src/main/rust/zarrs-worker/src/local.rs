//! Arrays in folders.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;
use zarrs::array::{
    Array, ArrayBytes, ArrayShardedReadableExt, ArrayShardedReadableExtCache, ArraySubset, CodecOptions,
};
use zarrs::filesystem::{FilesystemStore, FilesystemStoreOptions};

use crate::{in_flight, Failure, Source};

/// More than any of the arrays has.
const OPEN_FILES_MAX: usize = 4096;

pub struct LocalArray {
    array: Array<FilesystemStore>,
    in_flight: usize,
    index_cache: Option<ArrayShardedReadableExtCache>,
    options: CodecOptions,
}

impl LocalArray {
    pub fn open(path: &str, words: &HashMap<&str, &str>) -> Result<Self, Failure> {
        let is = |name: &str| words.get(name) == Some(&"1");
        let mut store_options = FilesystemStoreOptions::default();
        store_options.direct_io(is("direct"));
        if is("index_cache") {
            store_options.file_handle_cache_size(OPEN_FILES_MAX);
        }
        let store = Arc::new(FilesystemStore::new_with_options(path, store_options)?);
        let array = Array::open(store, "/")?;
        let in_flight = in_flight(words)?;
        let cores = std::thread::available_parallelism()?.get();
        let concurrent = if in_flight == 1 { cores } else { 1 };
        Ok(Self {
            in_flight,
            index_cache: is("index_cache").then(|| ArrayShardedReadableExtCache::new(&array)),
            options: CodecOptions::default().with_concurrent_target(concurrent),
            array,
        })
    }
}

impl Source for LocalArray {
    fn read(&self, crop: &ArraySubset) -> Result<Vec<u8>, Failure> {
        let elements: ArrayBytes = match &self.index_cache {
            Some(cache) => self.array.retrieve_array_subset_sharded_opt(cache, crop, &self.options)?,
            None => self.array.retrieve_array_subset_opt(crop, &self.options)?,
        };
        Ok(elements.into_fixed()?.into_owned())
    }

    fn read_all(&self, crops: &[ArraySubset]) -> Result<usize, Failure> {
        let bytes = |crop| self.read(crop).map(|elements| elements.len());
        if self.in_flight == 1 {
            crops.iter().map(bytes).sum()
        } else {
            crops.par_iter().map(bytes).sum()
        }
    }
}
