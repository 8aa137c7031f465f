//! The page for reviews, on this machine.
//!
//! Whoever knows the address may decide, so it holds a random token, and nothing else on the server answers. A page of
//! another origin can neither read it nor, not knowing the token, post to it; requests for another host than this machine
//! are refused, so that no name that resolves to it can be used to reach it (DNS rebinding).

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Query, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Builder;

use super::desk::{Asked, Desk, DeskError};
use super::page;
use super::texts::Wanted;
use crate::decision::Decision;
use crate::page::RowView;
use crate::prove::cancel;
use crate::record::{Label, hex};
use crate::verify::Reading;

/// Bytes of one request: far more than any row's formulas.
const LIMIT: usize = 4 << 20;

/// Milliseconds between looks at whether to stop.
const PULSE: u64 = 100;

/// Where to listen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The interface; another than loopback lets other machines in.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
}

/// Why the page cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be listened at.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// The server ended.
    #[error("the server ended: {0}")]
    Ended(std::io::Error),
    /// There are no random bytes for the token.
    #[error("this machine gives no random bytes: {0}")]
    Random(String),
}

/// A random token: 128 bits in hexadecimal.
fn token() -> Result<String, ServeError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|e| ServeError::Random(e.to_string()))?;
    Ok(hex(&bytes))
}

/// Serves a desk until [`cancel::request`] is called. `ready` is told the address of the page.
///
/// # Errors
/// Where the address cannot be listened at.
pub fn serve(desk: Desk, address: &Address, ready: impl FnOnce(&str)) -> Result<(), ServeError> {
    let token = token()?;
    let wanted = SocketAddr::new(address.host, address.port);
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(ServeError::Ended)?;
    runtime.block_on(async {
        let failed = |source| ServeError::Listen { address: wanted, source };
        let listener = TcpListener::bind(wanted).await.map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        let app = router(Arc::new(desk), &token);
        ready(&format!("http://{bound}/{token}/"));
        let stop = async {
            while !cancel::is_requested() {
                tokio::time::sleep(std::time::Duration::from_millis(PULSE)).await;
            }
        };
        // What is decided is on disk before it is answered: nothing is lost by stopping at once.
        tokio::select! {
            ended = axum::serve(listener, app) => ended.map_err(ServeError::Ended),
            () = stop => Ok(()),
        }
    })
}

/// Everything the server answers, below `/TOKEN/`.
pub fn router(desk: Arc<Desk>, token: &str) -> Router {
    let at = |path: &str| format!("/{token}/{path}");
    Router::new()
        .route(&at(""), get(index))
        .route(&at("api/queue"), get(queue))
        .route(&at("api/row"), get(row))
        .route(&at("api/check"), post(check))
        .route(&at("api/decide"), post(decide))
        .route(&at("api/undo"), post(undo))
        .with_state(desk)
        .layer(DefaultBodyLimit::max(LIMIT))
        .layer(middleware::from_fn(guard))
}

/// Refuses requests for other hosts, and tells browsers to keep nothing and load nothing from elsewhere.
async fn guard(request: Request, next: Next) -> Response {
    let host = request.headers().get(HOST).and_then(|h| h.to_str().ok()).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let is_address = name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    if !(is_address || name.eq_ignore_ascii_case("localhost")) {
        return (StatusCode::FORBIDDEN, "this page answers to its address only").into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

impl IntoResponse for DeskError {
    fn into_response(self) -> Response {
        let status = match self {
            Self::NoRow(_) => StatusCode::NOT_FOUND,
            Self::Senseless(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::NothingToUndo | Self::Changed => StatusCode::CONFLICT,
            Self::NotKept(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        (status, Json(json!({ "error": self.to_string() }))).into_response()
    }
}

type Answer = Result<Json<Value>, DeskError>;

/// Questions to the prover and writes to the disk block, so they leave the threads that answer.
async fn off<T: Send + 'static>(work: impl FnOnce() -> Result<T, DeskError> + Send + 'static) -> Result<T, DeskError> {
    let ended = tokio::task::spawn_blocking(work).await;
    ended.unwrap_or_else(|e| Err(DeskError::Senseless(format!("the work ended early: {e}"))))
}

async fn index() -> Response {
    let (html, policy) = page::html();
    let policy = HeaderValue::from_str(&policy).unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"));
    let headers =
        [(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")), (CONTENT_SECURITY_POLICY, policy)];
    (headers, html).into_response()
}

async fn queue(State(desk): State<Arc<Desk>>) -> Answer {
    off(move || {
        let (items, progress) = desk.queue();
        Ok(Json(json!({ "reviewer": desk.reviewer(), "items": items, "progress": progress })))
    })
    .await
}

#[derive(Deserialize)]
struct Of {
    id: String,
}

async fn row(State(desk): State<Arc<Desk>>, Query(of): Query<Of>) -> Answer {
    off(move || {
        let shown = desk.show(&of.id)?;
        Ok(Json(json!({
            "view": desk.view(&shown.row),
            "candidates": shown.candidates,
            "history": shown.history,
            "story": shown.story,
            "remarks": shown.remarks,
            "seen": shown.seen,
        })))
    })
    .await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tried {
    id: String,
    #[serde(default)]
    edits: Vec<Wanted>,
    #[serde(default)]
    label: Option<Label>,
}

async fn check(State(desk): State<Arc<Desk>>, Json(tried): Json<Tried>) -> Answer {
    off(move || {
        let preview = desk.preview(&tried.id, &tried.edits, tried.label)?;
        let row = &preview.weighed.row;
        Ok(Json(json!({
            "verdict": row.verdict,
            "agreement": row.agreement,
            "label": row.label,
            "reason": row.verdict_reason,
            "evidence": row.evidence,
            "signals": row.signals,
            "account": desk.view(row).account,
            "remarks": preview.weighed.remarks,
            "siblings": preview.siblings,
            "ms": preview.weighed.ms,
        })))
    })
    .await
}

async fn decide(State(desk): State<Arc<Desk>>, Json(asked): Json<Asked>) -> Answer {
    off(move || Ok(Json(desk.after(&desk.decide(&asked)?)))).await
}

async fn undo(State(desk): State<Arc<Desk>>) -> Answer {
    off(move || Ok(Json(desk.after(&desk.undo()?)))).await
}

impl Desk {
    /// What the page is told once something was decided: of the queue only what it can have changed.
    fn after(&self, decision: &Decision) -> Value {
        let (mut items, progress) = self.queue();
        let story = self.story_ids(&decision.record_id);
        items.retain(|item| story.contains(&item.id));
        json!({ "decision": decision, "items": items, "progress": progress })
    }

    /// What the page shows of a row.
    fn view(&self, row: &crate::record::Row) -> RowView {
        let reading = Reading::new(&row.premises_fol, row.conclusion_fol.as_deref(), self.reading());
        RowView::new(row, &reading)
    }
}
