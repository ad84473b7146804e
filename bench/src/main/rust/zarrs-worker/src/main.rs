//! zarrs as a worker of bin/bench compare; see WorkerProcess.java for the protocol.
//!
//! Options: `in_flight=N` crops read at once (zarrs spreads a single one over all cores; with more, each has a
//! core); `index_cache=1`: indexes of shards and open files are cached; `direct=1`: around the page cache.

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;
use zarrs::array::{
    Array, ArrayBytes, ArrayShardedReadableExt, ArrayShardedReadableExtCache, ArraySubset, CodecOptions,
};
use zarrs::filesystem::{FilesystemStore, FilesystemStoreOptions};

/// More than any of the arrays has.
const OPEN_FILES_MAX: usize = 4096;

type Failure = Box<dyn Error + Send + Sync>;

struct Reader {
    array: Array<FilesystemStore>,
    crops: Vec<ArraySubset>,
    in_flight: usize,
    index_cache: Option<ArrayShardedReadableExtCache>,
    options: CodecOptions,
}

impl Reader {
    fn open(path: &str, crops: &str, words: &[&str]) -> Result<Self, Failure> {
        let chosen: HashMap<&str, &str> = words.iter().filter_map(|word| word.split_once('=')).collect();
        let is = |name: &str| chosen.get(name) == Some(&"1");
        let mut store_options = FilesystemStoreOptions::default();
        store_options.direct_io(is("direct"));
        if is("index_cache") {
            store_options.file_handle_cache_size(OPEN_FILES_MAX);
        }
        let store = Arc::new(FilesystemStore::new_with_options(path, store_options)?);
        let array = Array::open(store, "/")?;
        let in_flight = chosen.get("in_flight").map_or(Ok(1), |number| number.parse())?;
        let cores = std::thread::available_parallelism()?.get();
        let concurrent = if in_flight == 1 { cores } else { 1 };
        Ok(Self {
            crops: std::fs::read_to_string(crops)?.lines().map(parse_crop).collect::<Result<_, _>>()?,
            in_flight,
            index_cache: is("index_cache").then(|| ArrayShardedReadableExtCache::new(&array)),
            options: CodecOptions::default().with_concurrent_target(concurrent),
            array,
        })
    }

    fn read(&self, crop: &ArraySubset) -> Result<Vec<u8>, Failure> {
        let elements: ArrayBytes = match &self.index_cache {
            Some(cache) => self.array.retrieve_array_subset_sharded_opt(cache, crop, &self.options)?,
            None => self.array.retrieve_array_subset_opt(crop, &self.options)?,
        };
        Ok(elements.into_fixed()?.into_owned())
    }

    /// Delivered bytes.
    fn read_all(&self, crops: &[ArraySubset]) -> Result<usize, Failure> {
        let bytes = |crop| self.read(crop).map(|elements| elements.len());
        if self.in_flight == 1 {
            crops.iter().map(bytes).sum()
        } else {
            crops.par_iter().map(bytes).sum()
        }
    }

    fn first(&self, count: &str) -> Result<&[ArraySubset], Failure> {
        let count: usize = count.parse()?;
        Ok(if count == 0 { &self.crops } else { &self.crops[..count.min(self.crops.len())] })
    }

    fn write(&self, count: &str, path: &str) -> Result<(), Failure> {
        let mut file = std::fs::File::create(path)?;
        for crop in self.first(count)? {
            file.write_all(&self.read(crop)?)?;
        }
        Ok(())
    }

    fn run(&self, seconds: &str, count: &str) -> Result<String, Failure> {
        let (seconds, crops): (f64, _) = (seconds.parse()?, self.first(count)?);
        let (begin, cpu) = (Instant::now(), cpu_seconds());
        let mut bytes = 0;
        loop {
            bytes += self.read_all(crops)?;
            let wall = begin.elapsed().as_secs_f64();
            if wall >= seconds {
                return Ok(format!("ok\t{bytes}\t{wall}\t{}", cpu_seconds() - cpu));
            }
        }
    }

    fn latency(&self, count: &str) -> Result<String, Failure> {
        let count: usize = count.parse()?;
        let mut micros = Vec::with_capacity(count);
        for crop in self.crops.iter().cycle().take(count) {
            let begin = Instant::now();
            std::hint::black_box(self.read(crop)?);
            micros.push(begin.elapsed().as_secs_f64() * 1e6);
        }
        micros.sort_by(f64::total_cmp);
        Ok(format!("ok\t{}\t{}", micros[count / 2], micros[count * 99 / 100]))
    }
}

fn parse_crop(line: &str) -> Result<ArraySubset, Failure> {
    let ranges = line
        .split(',')
        .map(|part| {
            let (start, stop) = part.split_once(':').ok_or("a slice has a colon")?;
            Ok(start.parse()?..stop.parse()?)
        })
        .collect::<Result<Vec<std::ops::Range<u64>>, Failure>>()?;
    Ok(ArraySubset::new_with_ranges(&ranges))
}

fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn answer(readers: &mut HashMap<String, Reader>, words: &[&str]) -> Result<String, Failure> {
    match *words {
        ["open", name, path, crops, ref options @ ..] => {
            readers.insert(name.into(), Reader::open(path, crops, options)?);
            Ok("ok".into())
        }
        ["close", name] => {
            readers.remove(name);
            Ok("ok".into())
        }
        ["write", name, count, path] => {
            readers[name].write(count, path)?;
            Ok("ok".into())
        }
        ["run", name, seconds, count] => readers[name].run(seconds, count),
        ["latency", name, count] => readers[name].latency(count),
        ["version"] => Ok("ok\tzarrs 0.23.14".into()),
        _ => Err(format!("unknown command {words:?}").into()),
    }
}

fn main() -> Result<(), Failure> {
    let mut readers = HashMap::new();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split('\t').collect();
        let reply = answer(&mut readers, &words)
            .unwrap_or_else(|failure| format!("error\t{}", failure.to_string().replace(['\n', '\t'], " ")));
        println!("{reply}");
        std::io::stdout().flush()?;
    }
    Ok(())
}
