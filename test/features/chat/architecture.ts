import type { Listed } from '#test/architecture/listed.ts';

export const stateful: Listed['stateful'] = {
  request: [
    'server/features/chat/backends/answer-function.ts',
    'server/features/chat/backends/call-reader.ts',
    'server/features/chat/backends/chunk-reader.ts',
    'server/features/chat/backends/request-progress.ts',
    'server/features/chat/backends/upstream-events.ts',
    'server/features/chat/backends/span-content.ts',
    'server/features/chat/backends/streamed-ask.ts',
    'server/features/chat/backends/traced-stream.ts',
    'server/features/chat/cache/cached-vectors.ts',
    'server/features/chat/conversation/growing-text.ts',
    'server/features/chat/conversation/handed-out.ts',
    'server/features/chat/tokens/merge-bytes.ts',
    'server/features/chat/completion/meter.ts',
    'server/features/chat/conversation/received-answer.ts',
    'server/features/chat/handlers/collected-sealed.ts',
    'server/features/chat/handlers/delta-stream.ts',
    'server/features/chat/handlers/left-out.ts',
    'server/features/chat/completion/shown-answer.ts',
    'server/features/chat/handlers/model-request-record.ts',
    'server/features/chat/handlers/chat-answer.ts',
    'server/features/chat/handlers/chat-budgets.ts',
    'server/features/chat/handlers/responses/events.ts',
    'server/features/chat/handlers/responses/namespaces.ts',
    'server/features/chat/handlers/messages/events.ts',
    'server/features/chat/handlers/embeddings.ts',
  ],
  computed: [
    // The operator's file of models.
    'server/features/chat/backends/watch-models.ts',
    'server/features/chat/config/models-file.ts',
    'server/features/chat/tokens/vocabulary.ts',
  ],
  counts: ['server/features/chat/metrics/gateway.ts'],
  resources: [
    'server/features/chat/backends/local-model/local-model.ts',
    'server/features/chat/backends/local-model/process.ts',
    'server/features/chat/backends/models-of-file.ts',
    'server/features/chat/backends/retirable-upstream.ts',
    'server/features/chat/backends/redactor.ts',
    'server/features/chat/tokens/count-tokens.ts',
  ],
  work: [
    'server/features/chat/serve.ts',
    'server/features/chat/tokens/count-texts.ts',
    'server/features/chat/tokens/token-thread.ts',
    // Requests that wait for their turn. Each process has its own, and limits hold without them.
    'server/features/chat/reservations/turn-queue.ts',
    // Counts under way. They bound the memory of this process, so each process has its own.
    'server/features/chat/tokens/counts-at-once.ts',
  ],
  observations: [
    // Fields that a server has rejected. Without it, a request learns it again.
    'server/features/chat/backends/remembered-rejections.ts',
    // Whether the package that reads PDFs is missing.
    'server/features/chat/backends/pdf/pdf-processes.ts',
    // When rows were last swept. The state itself is in rows.
    'server/features/chat/stores/postgres/chat-reservations.ts',
  ],
  unsaved: [
    'server/features/chat/usage/cached-requests.ts',
    // Requests to models, for half a second.
    'server/features/chat/ai-requests/request-log.ts',
  ],
};

export const outbound: Listed['outbound'] = {
  'server/features/chat/backends/local-model/local-model.ts': 'nobody: it forks a process for a model file',
  'server/features/chat/backends/open-pool.ts':
    'the operator, CUBBY_AI_UPSTREAM_URL, CUBBY_AI_MODELS_FILE and CUBBY_AI_EMBEDDINGS_URL',
  'server/features/chat/backends/post-once.ts': 'its callers: the upstream of the AI gateway',
  'server/features/chat/backends/searxng.ts': 'the operator, CUBBY_SEARCH_URL',
};
