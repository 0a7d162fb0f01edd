import type { WebSearch } from '../search/web-search.ts';
import type { CallTracing } from '#server/telemetry/tracing.ts';

const attributes = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'web_search',
  'gen_ai.tool.type': 'function',
};

/** Runs each search as a span. The span has neither the query nor the results. */
export function tracedSearch(search: WebSearch, tracing: CallTracing): WebSearch {
  return {
    find: (query, signal) => tracing.call('execute_tool web_search', attributes, () => search.find(query, signal)),
  };
}
