import { feature, ofAccount } from '#server/feature.ts';
import { files } from '../files/feature.ts';
import { forgetAiRequests } from './ai-requests/forget-ai-requests.ts';
import { forgetChatUsage } from './usage/forget-chat-usage.ts';
import { chatErrors, errorsByClient, messagesErrors } from './handlers/chat-errors.ts';
import { chatConfig } from './config/config.ts';
import { chatConsole } from './config/console.ts';
import { chatJobSettings } from './config/job-settings.ts';
import { chatMetrics } from './metrics/metrics.ts';
import { aiRequestsTable } from './tables/ai-requests.ts';
import { chatTable } from './tables/chat.ts';

/** The AI gateway: models, their limits and charges, and the formats of their clients. */
export const chat = feature({
  name: 'chat',
  needs: [files],
  pages: [
    'ai',
    'ai/capacity',
    'ai/cache',
    'ai/embeddings',
    'ai/fields',
    'ai/files',
    'ai/limits',
    'ai/messages',
    'ai/models',
    'ai/observing',
    'ai/prices',
    'ai/responses',
    'ai/running',
    'ai/settings',
    'ai/streaming',
    'agents',
    'start/chat',
  ],
  config: chatConfig,
  canReload: ({ ai }) => ai.modelsFile !== undefined,
  consoleConfig: chatConsole,
  jobSettings: chatJobSettings,
  metrics: chatMetrics,
  errorForms: [chatErrors, messagesErrors, errorsByClient],
  schema: ['chat'],
  tables: {
    aiRequests: aiRequestsTable,
    chat: chatTable,
  },
  processTables: [
    { name: 'chat_installation', countsReads: true },
    { name: 'chat_key_leases', countsReads: true },
    { name: 'chat_leases', countsReads: true },
  ],
  accountRows: [
    ['chat_days', 'account_id, day', ofAccount],
    ['chat_usage_days', 'account_id, day, key_id, model', ofAccount],
    ['ai_requests', 'account_id, at, row_id', ofAccount],
    ['chat_reached_budgets', 'account_id, budget, starts_at, token_limit, percent', ofAccount],
  ],
  jobs: {
    'forget-chat-usage': { stage: 'rows', trustsClock: true, run: forgetChatUsage },
    'forget-ai-requests': { stage: 'rows', trustsClock: true, run: forgetAiRequests },
  },
  commands: () => import('./commands/commands.ts'),
  serve: () => import('./serve.ts'),
});
