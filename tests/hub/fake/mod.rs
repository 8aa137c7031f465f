//! A Hub on loopback that holds clients to the rules of the real one: who may do what, how files are to come, what a commit
//! may hold. That it is like the real one is shown by Python's own client, which works with it in the same suite.

mod api;
mod commit;
mod large;
mod state;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post, put};

pub(crate) use self::state::{Blob, State};

/// A token that may write to everything of `refolio` and `birds`.
pub(crate) const WRITER: &str = "hf_writerWRITERwriter";
/// A token that may only read.
pub(crate) const READER: &str = "hf_readerREADERreader";

/// What is to go wrong.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// So many calls are answered by 429 and `Retry-After: 1`.
    pub(crate) too_many: usize,
    /// So many calls are answered by 503.
    pub(crate) unavailable: usize,
    /// After so many uploads the connection of every further one breaks.
    pub(crate) uploads_until_break: Option<usize>,
    /// After so many uploads no further one is answered.
    pub(crate) uploads_until_hang: Option<usize>,
    /// The next commit is made, but its answer is lost.
    pub(crate) lose_commit_answer: bool,
    /// No tag is made.
    pub(crate) refuse_tags: bool,
    /// Every file is to come inside the commit.
    pub(crate) all_inline: bool,
    /// Before the next commit somebody else commits this file.
    pub(crate) rival: Option<String>,
    /// Large files come in parts of so many bytes.
    pub(crate) part_bytes: Option<u64>,
    /// What is fetched of large files is another content of the same length.
    pub(crate) damage: bool,
}

type Shared = Arc<Mutex<State>>;

/// The server; it ends with the test's process.
pub(crate) struct Hub {
    /// What `HF_ENDPOINT` is to be.
    pub(crate) url: String,
    shared: Shared,
}

impl Hub {
    pub(crate) fn start() -> Self {
        let (sender, receiver) = std::sync::mpsc::channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
                listener.set_nonblocking(true).unwrap();
                let address: SocketAddr = listener.local_addr().unwrap();
                let shared: Shared = Arc::new(Mutex::new(State::new(address.port())));
                sender.send((address, Arc::clone(&shared))).unwrap();
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, router(shared)).await.unwrap();
            });
        });
        let (address, shared) = receiver.recv().unwrap();
        Self { url: format!("http://{address}"), shared }
    }

    /// What it holds.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets something go wrong, or right again.
    pub(crate) fn faults(&self, change: impl FnOnce(&mut Faults)) {
        change(&mut self.state().faults);
    }

    /// Waits until what it holds is as wanted.
    #[track_caller]
    pub(crate) fn wait(&self, until: impl Fn(&State) -> bool) {
        for _ in 0..600 {
            if until(&self.state()) {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("the Hub never came to it: {:?}", self.state().calls);
    }
}

fn router(shared: Shared) -> Router {
    const DATASET: &str = "/api/datasets/{owner}/{name}";
    let at = |rest: &str| format!("{DATASET}{rest}");
    Router::new()
        .route("/api/whoami-v2", get(api::whoami))
        .route("/api/repos/create", post(api::create))
        .route("/api/validate-yaml", post(commit::validate))
        .route(DATASET, get(api::info))
        .route(&at("/revision/{revision}"), get(api::info_at))
        .route(&at("/refs"), get(api::refs))
        .route(&at("/tree/{revision}"), get(api::tree))
        .route(&at("/tree/{revision}/{*path}"), get(api::tree_below))
        .route(&at("/preupload/{revision}"), post(commit::preupload))
        .route(&at("/commit/{revision}"), post(commit::commit))
        .route(&at("/tag/{revision}"), post(api::tag))
        .route("/datasets/{owner}/{name}/resolve/{revision}/{*path}", get(api::resolve))
        .route("/datasets/{owner}/{name}/info/lfs/objects/batch", post(large::batch))
        .route("/datasets/{owner}/{name}/info/lfs/verify", post(large::verify))
        .route("/store/{owner}/{name}/{oid}", put(large::upload).get(large::fetch))
        .route("/store/{owner}/{name}/{oid}/{part}", put(large::upload_part))
        .route("/complete/{owner}/{name}/{oid}", post(large::complete))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&shared), api::gate))
        .layer(DefaultBodyLimit::max(1 << 30))
        .with_state(shared)
}
