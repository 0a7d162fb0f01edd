/**
 * The part of node-llama-cpp 3 that is used here. Its own types are not available, because operators who use a model
 * file install the package.
 */
export interface LlamaPackage {
  getLlama(options: {
    readonly build: 'never';
    readonly skipDownload: boolean;
    readonly progressLogs: boolean;
    readonly logLevel: 'disabled';
    readonly maxThreads: number;
  }): Promise<Llama>;
  readonly LlamaChat: new (options: { readonly contextSequence: ContextSequence }) => LlamaChat;
}

export interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<LlamaModel>;
  getGrammarFor(type: 'json'): Promise<Grammar>;
  createGrammarForJsonSchema(schema: unknown): Promise<Grammar>;
}

/** Restricts the format of a text. */
interface Grammar {
  readonly grammar: string;
}

interface LlamaModel {
  createContext(options: {
    readonly contextSize: { readonly max: number };
  }): Promise<{ readonly contextSize: number; getSequence(): ContextSequence }>;
  tokenize(text: string): readonly number[];
}

interface ContextSequence {
  clearHistory(): Promise<void>;
  readonly tokenMeter: { getState(): { readonly usedInputTokens: number; readonly usedOutputTokens: number } };
}

interface LlamaChat {
  generateResponse(history: readonly HistoryItem[], options: GenerateOptions): Promise<Generated>;
}

export type HistoryItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: ReadonlyArray<string | FunctionCallItem> };

/** A function call of the model, with its result. */
export interface FunctionCallItem {
  readonly type: 'functionCall';
  readonly name: string;
  readonly params: unknown;
  readonly result: unknown;
}

export interface GenerateOptions {
  readonly maxTokens: number;
  readonly signal: AbortSignal;
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly customStopTriggers?: readonly string[];
  readonly repeatPenalty?: { readonly frequencyPenalty: number; readonly presencePenalty: number };
  readonly grammar?: Grammar;
  readonly functions?: Readonly<Record<string, { readonly description?: string; readonly params?: unknown }>>;
  readonly maxParallelFunctionCalls?: number;
}

export interface Generated {
  readonly response: string;
  readonly functionCalls?: ReadonlyArray<{ readonly functionName: string; readonly params: unknown }>;
  readonly metadata: { readonly stopReason: string };
}
