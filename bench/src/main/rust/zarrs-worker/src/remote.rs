//! Arrays behind a web server, or in a bucket of S3, read by object_store.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use futures::{stream, StreamExt, TryStreamExt};
use tokio::runtime::Runtime;
use zarrs::array::{
    Array, ArrayBytes, ArraySubset, AsyncArrayShardedReadableExt, AsyncArrayShardedReadableExtCache, CodecOptions,
};
use zarrs_object_store::object_store::aws::AmazonS3Builder;
use zarrs_object_store::object_store::http::HttpBuilder;
use zarrs_object_store::object_store::limit::LimitStore;
use zarrs_object_store::object_store::prefix::PrefixStore;
use zarrs_object_store::object_store::{ClientOptions, ObjectStore};
use zarrs_object_store::AsyncObjectStore;

use crate::{in_flight, Failure, Source};

/// As many as the engine's; without a limit a distant server gets thousands of connections, and refuses some.
const REQUESTS_MAX: usize = 64;

type Store = AsyncObjectStore<LimitStore<Arc<dyn ObjectStore>>>;

pub struct RemoteArray {
    runtime: Runtime,
    array: Array<Store>,
    in_flight: usize,
    index_cache: AsyncArrayShardedReadableExtCache,
    options: CodecOptions,
}

/// The environment has the endpoint and the credentials of `s3:` URLs.
fn store(server: &str, name: &str) -> Result<Arc<dyn ObjectStore>, Failure> {
    let options = ClientOptions::new().with_allow_http(true);
    Ok(if server.starts_with("s3:") {
        let bucket = AmazonS3Builder::from_env().with_url(server).with_client_options(options).build()?;
        Arc::new(PrefixStore::new(bucket, name))
    } else {
        Arc::new(HttpBuilder::new().with_url(format!("{server}/{name}")).with_client_options(options).build()?)
    })
}

impl RemoteArray {
    pub fn open(server: &str, path: &str, words: &HashMap<&str, &str>) -> Result<Self, Failure> {
        let name = Path::new(path).file_name().ok_or("a path has a name")?.to_string_lossy();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let store = Arc::new(AsyncObjectStore::new(LimitStore::new(store(server, &name)?, REQUESTS_MAX)));
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
