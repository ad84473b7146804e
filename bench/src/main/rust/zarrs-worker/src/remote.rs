//! Arrays behind a web server, read by object_store.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use futures::{stream, StreamExt, TryStreamExt};
use tokio::runtime::Runtime;
use zarrs::array::{
    Array, ArrayBytes, ArraySubset, AsyncArrayShardedReadableExt, AsyncArrayShardedReadableExtCache, CodecOptions,
};
use zarrs_object_store::object_store::http::{HttpBuilder, HttpStore};
use zarrs_object_store::object_store::ClientOptions;
use zarrs_object_store::AsyncObjectStore;

use crate::{in_flight, Failure, Source};

pub struct RemoteArray {
    runtime: Runtime,
    array: Array<AsyncObjectStore<HttpStore>>,
    in_flight: usize,
    index_cache: AsyncArrayShardedReadableExtCache,
    options: CodecOptions,
}

impl RemoteArray {
    pub fn open(server: &str, path: &str, words: &HashMap<&str, &str>) -> Result<Self, Failure> {
        let name = Path::new(path).file_name().ok_or("a path has a name")?.to_string_lossy();
        let http = HttpBuilder::new()
            .with_url(format!("{server}/{name}"))
            .with_client_options(ClientOptions::new().with_allow_http(true))
            .build()?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let store = Arc::new(AsyncObjectStore::new(http));
        let array = runtime.block_on(Array::async_open(store, "/"))?;
        Ok(Self {
            in_flight: in_flight(words)?,
            index_cache: AsyncArrayShardedReadableExtCache::new(&array),
            options: CodecOptions::default(),
            runtime,
            array,
        })
    }

    async fn read_async(&self, crop: &ArraySubset) -> Result<Vec<u8>, Failure> {
        let elements: ArrayBytes =
            self.array.async_retrieve_array_subset_sharded_opt(&self.index_cache, crop, &self.options).await?;
        Ok(elements.into_fixed()?.into_owned())
    }
}

impl Source for RemoteArray {
    fn read(&self, crop: &ArraySubset) -> Result<Vec<u8>, Failure> {
        self.runtime.block_on(self.read_async(crop))
    }

    fn read_all(&self, crops: &[ArraySubset]) -> Result<usize, Failure> {
        let sizes = stream::iter(crops)
            .map(|crop| async move { self.read_async(crop).await.map(|elements| elements.len()) })
            .buffer_unordered(self.in_flight);
        self.runtime.block_on(sizes.try_fold(0, |all, one| async move { Ok(all + one) }))
    }
}
