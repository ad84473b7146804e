//! zarrs as a worker of bin/bench compare; see WorkerProcess.java for the protocol.
//!
//! Options: `in_flight=N` crops read at once (zarrs spreads a single one over all cores; with more, each has a
//! core); `index_cache=1`: indexes of shards and open files are cached; `direct=1`: around the page cache; `url=NAME`:
//! from the web server that the environment names so.

mod local;
mod remote;

use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, Write};
use std::time::Instant;

use local::LocalArray;
use remote::RemoteArray;
use zarrs::array::ArraySubset;

type Failure = Box<dyn Error + Send + Sync>;

/// An array that is read by crops.
trait Source {
    fn read(&self, crop: &ArraySubset) -> Result<Vec<u8>, Failure>;

    /// Delivered bytes.
    fn read_all(&self, crops: &[ArraySubset]) -> Result<usize, Failure>;
}

struct Reader {
    source: Box<dyn Source>,
    crops: Vec<ArraySubset>,
}

impl Reader {
    fn open(path: &str, crops: &str, words: &[&str]) -> Result<Self, Failure> {
        let options: HashMap<&str, &str> = words.iter().filter_map(|word| word.split_once('=')).collect();
        Ok(Self {
            crops: std::fs::read_to_string(crops)?.lines().map(parse_crop).collect::<Result<_, _>>()?,
            source: match options.get("url") {
                Some(name) => Box::new(RemoteArray::open(&std::env::var(name)?, path, &options)?),
                None => Box::new(LocalArray::open(path, &options)?),
            },
        })
    }

    fn first(&self, count: &str) -> Result<&[ArraySubset], Failure> {
        let count: usize = count.parse()?;
        Ok(if count == 0 { &self.crops } else { &self.crops[..count.min(self.crops.len())] })
    }

    fn write(&self, count: &str, path: &str) -> Result<(), Failure> {
        let mut file = std::fs::File::create(path)?;
        for crop in self.first(count)? {
            file.write_all(&self.source.read(crop)?)?;
        }
        Ok(())
    }

    fn run(&self, seconds: &str, count: &str) -> Result<String, Failure> {
        let (seconds, crops): (f64, _) = (seconds.parse()?, self.first(count)?);
        let (begin, cpu) = (Instant::now(), cpu_seconds());
        let mut bytes = 0;
        loop {
            bytes += self.source.read_all(crops)?;
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
            std::hint::black_box(self.source.read(crop)?);
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

/// Crops read at once.
fn in_flight(options: &HashMap<&str, &str>) -> Result<usize, Failure> {
    Ok(options.get("in_flight").map_or(Ok(1), |number| number.parse())?)
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
