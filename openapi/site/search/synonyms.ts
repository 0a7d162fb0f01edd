/** A row of the table. */
export interface Synonym {
  /** What people type. */
  readonly typed: readonly string[];
  /** What this documentation says for the same. */
  readonly ours: readonly string[];
}

/**
 * What people type who know other services, and behind the arrow the words of this documentation for the same. The
 * search looks for both. A row serves every spelling in it, also in the plural. Add one when a search finds nothing
 * that helps: the words behind the arrow stand on the page that answers.
 */
const table = `
# Links.
signed url, signed link, sas token, expiring url, temp url, temporary url → temporary link
presigned url, pre signed url, presigned, presign → presign, presigned url, temporary link
public url, public link, direct link, permalink → public address, public file
one time, single use, burn after reading, self destruct → opened once, max downloads
expiration, expiry, expire, ttl, time limit → expire, expires, ends
wetransfer, send big files, send large files, transfer → share link, send collect large files
password protected, password protection → password, passwords
zip, archive, tar, download folder, download all → archive, zip archive

# Files.
lifecycle, retention, auto delete, cleanup → rule prefix, delete old files
object lock, worm, legal hold, immutable → trash keep deleted
versioning, version history, file history, previous version, old version → versions, trash version
undelete, recycle bin, trash can, deleted file, recover file → trash, trash restore
dedup, deduplication, deduplicate → copy shares bytes
folder, directory, path → folder, prefix
copy folder, move folder, delete folder, rename folder, copy directory, move directory → jobs over folders
recursive, recursively, bulk, batch, whole folder, many files → jobs folders, many files
pagination, paging, next page, paginate → page by page, cursor
overwrite, upsert, replace → replace, overwrite
rename, move file → rename, move
search, find, filter, sort, query → find files, filters
etag, optimistic locking, conditional write, concurrent edit, race condition → if match, change others
acl, public read, visibility, make public, make private → private public, who reads

# Uploads.
multipart, large file, big file, huge file, chunk, chunked → parts, chunked, uploads in parts
direct upload, client upload, browser upload, frontend upload → upload token browser, upload from page
drag and drop, dropzone, drop zone, file picker, upload component, upload widget → cubby upload element, uploader page
upload button → cubby upload element, uploader page
vue, svelte, angular, react, solid, preact → cubby upload element, uploader page
next js, nextjs → next js
nuxtjs, nuxt js → nuxt
svelte kit → sveltekit
gatsby → upload from page, uploader page
expressjs, express js, koa, hono → express
ruby, ruby on rails, active storage → rails over s3, upload from server
django storages, filefield → django
php, symfony → laravel over s3, upload from server
node, nodejs, node js, flask, fastapi, golang, java → upload from server
framework → start framework
resume upload, interrupted upload, continue upload → resumable upload, pauses broken connections, resuming
resume interrupted upload, broken connection, flaky network → resumable upload, pauses broken connections, resuming
pause → pauses
allowed file type, restrict file type, limit file type → allowed extensions, what it accepts
mime type, file type, content type, file extension → allowed extensions, file types, content type
cors, cross origin, preflight, access control allow origin → cors, other origins
file size, max size, size limit, maximum size, maximum file size, max file size → limits, files over 100 mb, size
upload limit, maximum upload size → limits, file sizes, files over 100 mb, size
file drop, inbox, collect files, receive files, guest upload, upload form, anonymous upload → file request
upload files to me, request files → file request
customer, guest, visitor → guests, visitor, senders
callback, notification, notify, trigger → event, webhook
webhook payload, event payload, payload → an event, webhooks
web hook → webhook
hmac, verify signature, webhook signature, signing secret → webhook signature, verify webhooks
progress bar, upload progress → progress, uploader

# Pictures.
convert, heic, image format, jpeg, png → image variants, images
thumbnail, resize, image transformation, image optimization, optimize image, crop, webp, avif → image variants, images
picture, photo → image variants, images

# S3.
aws, amazon, minio, r2, wasabi, backblaze, b2, spaces, ceph, garage, storage class, glacier → s3
cyberduck, mountain duck, filezilla, winscp, s3 browser, transmit, flysystem → set in any program s3
presigned post, post policy → forms of s3, upload token
boto, boto3 → boto3
aws sdk → aws sdk, s3
access key, access key id, secret access key, s3 credential → key pair, s3 credentials
path style, virtual hosted, virtual host, virtual hosted style → path style, virtual host
storage backend, object storage, object store, as backend → bucket larger files

# Accounts and keys.
pricing, price, plan, tier, billing, subscription, free tier → plans allow, prices costs
cost, spend, expense, cost tracking → costs, prices costs
user, tenant, multi tenant, team → account, accounts
admin, administrator, root, superuser → operator
admin api, management api, admin key → operator api, operator key
audit, audit trail → audit log
gdpr, right to be forgotten, delete user, delete account, remove account → account delete, stop account
rotate key, rotate api key, regenerate key, key rotation → rotate, api keys new secret
api token, access token, api key, secret key, apikey, service account → api keys
read only, readonly, write only → scopes, blob read
iam, policy, rls, row level security, permission, access control, role, restrict → scopes, restricted prefixes
least privilege → scopes, restricted prefixes
oauth, device flow, sso, login, log in, sign in → sign in, approving devices
rate limit, too many requests, throttling, throttle, 429 → limits, requests minute, retry after
idempotency, idempotent, idempotency key → retry errors, if none match
retry, backoff, failed request → retry, retry errors
error code, error handling, error message → error codes

# Pages of answers.
faq, frequently asked, common question → frequent questions
terminology, definition, vocabulary → glossary

# Running a server.
install, setup, self host, getting started, quickstart → installing, run server
two servers, multiple servers, several servers, high availability, cluster → more than one machine, replicas
horizontal scaling, failover, replica, more servers → more than one machine, replicas
zero downtime, without downtime, rolling upgrade, rolling update → upgrade without pause
move server, another server, new server, migrate data, migrate → move installation, migrate
postgres, postgresql, pg → postgresql
docker, docker compose, container, podman → docker
kubernetes, k8s, helm, helm chart → kubernetes, helm
reverse proxy, nginx, caddy, traefik, https, tls, ssl, certificate, letsencrypt, domain name → reverse proxy
custom domain → reverse proxy
client ip, real ip, x forwarded for → trusted proxies, client address proxy
cloudflare, fastly, bunny, varnish, cdn, edge cache → behind cdn, cdn
invalidation, invalidate, cache busting, stale, cache invalidation → purge, purging cdn
disk full, out of space, no space left, enospc, out of disk → full disk
backup, back up, snapshot → back up, backup
disaster recovery, point in time → restore backup, restore rows
encryption, encrypt, at rest, kms, encryption at rest → encrypt files
upgrade, update version, new version → upgrade
downgrade, roll back, rollback → upgrade go back
monitoring, grafana, prometheus, alerting, observability, health check, healthcheck, liveness, uptime → metrics, alerts, health metrics
opentelemetry, otel, tracing, jaeger → traces, opentelemetry
logging, log file, debug log → logs
environment variable, env var, env variable, env, config, configure, setting → configuration, variables
disable, turn off, switch off → switch features off, off
port, listen address, bind → doors ports, ports
bit rot, bitrot, corruption, corrupt, corrupted, checksum mismatch, integrity → check, scrub damage, damaged
fsck, verify data → check store
cron, scheduled task, background task, background job, job → background jobs, jobs run
crash, wont start, not starting, doesnt start, does not start, troubleshooting, not working → not start, wrong
memory usage, oom, ram, out of memory → memory
speed, benchmark, throughput, latency, slow, performance → fast
web ui, ui, dashboard, gui, admin panel, file manager, keyboard shortcut, hotkey → console, console files
xss, csrf, clickjacking, csp, content security policy, vulnerability, secure → security, security pages content
database schema, sql schema, database table → tables database
release notes, what is new, whats new → changelog

# The AI gateway.
langchain, llamaindex, litellm, openrouter, open webui, librechat, ai sdk → chat clients, ai gateway, client base url
vercel ai sdk, openai, openai sdk, chatgpt, chat completion → chat clients, ai gateway, client base url
openai compatible → chat clients, ai gateway, client base url
base url, api base, openai base url → base url
anthropic, claude, anthropic sdk → anthropic messages, claude code
claude code, codex, cursor, copilot, coding agent, aider, cline → coding agents
ollama, vllm, llama cpp, lm studio, local model, self hosted model, local llm, gguf → model behind cubic, ollama vllm
connect a model → model behind cubic, ollama vllm
llm, gpt, language model, chatbot → model, ai gateway
fallback, load balancing, load balance, routing, model routing, multiple models, gpu → several models, fallback
model alias → several models, fallback
budget, spending limit, cost limit, spend limit → budget, limits budgets, limits of key
usage, consumption, analytics → usage, usage day key model
stream, sse, server sent events, streaming, token by token → streaming, stream
function calling, tool calling, tool use, tools → functions tools
json mode, structured output, json schema → json response format
rag, chat with documents, my documents, chat with pdf, document question, questions about → files as context
summarize, attach file → files as context
vector, embedding, semantic search → embeddings
prompt caching, response cache, semantic cache, cache llm, cache response, cache answer → cache repeats, ai cache
pii, redact, mask, anonymize, dlp, sensitive data, credit card → redaction
reasoning, thinking, chain of thought → thoughts, reasoning
privacy, see my prompts, log prompts, store prompts → never contents, seeing what happens
request log, prompt log, llm log, llm request log, llm observability → seeing what happens, list of requests
unsupported, unsupported parameter, not supported, compatibility → fields left out, every field, ignored
context window, context length, context size, context window size, max tokens → context window
prompt injection, jailbreak → obey harmless files context
image input, vision, multimodal → not supported pictures sound

# Tests and clients.
mock, fake server, stub, test double → mock, sandbox
e2e, integration test, end to end, cypress, unit test → testing, playwright
typescript client, sdk, npm package, client library, typed client → typed client
swagger, openapi, postman, api spec → contract openapi
github actions, ci pipeline, build artifact, artifact → build upload
github, gitlab, bitbucket, git push, ci cd, continuous deployment, vercel deploy → git push, deploy
`;

export const synonyms: readonly Synonym[] = table
  .split('\n')
  .filter((line) => line.includes('→'))
  .map((line) => {
    const [typed, ours] = line.split('→').map((side) => side.split(',').map((phrase) => phrase.trim()));
    return { typed: typed!, ours: ours! };
  });
