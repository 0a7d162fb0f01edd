import type { AiConfig } from '../config/ai.ts';
import type { ConfiguredModels } from '../config/models.ts';
import { onlyModel, type ChatModels } from '../models/chat-models.ts';
import { fieldsOfFile, logAttempt } from './attempt-log.ts';
import { openChatModel, type OpenChatModelDeps } from './open-chat-model.ts';
import { upstreamOptions } from './upstream-options.ts';

interface Deps extends OpenChatModelDeps {
  /** Called when a server is gone, for metrics. */
  readonly onForgotten?: (upstream: string) => void;
}

/** The models of the gateway, and how they end. */
interface OpenedModels {
  readonly models: ChatModels;
  /** Whether the built-in responder for development answers. */
  readonly isDevelopmentResponder: boolean;
  /** Takes new models from the file; undefined without one. */
  readonly replace: ((models: ConfiguredModels) => void) | undefined;
  begin(): void;
  close(): Promise<void>;
}

/** Opens the models of the operator's file, or else the one that the variables name. */
export async function openChatModels(ai: AiConfig, deps: Deps): Promise<OpenedModels> {
  if (!ai.modelsFile) {
    const model = await openChatModel(ai, deps);
    const { isDevelopmentResponder } = model;
    return {
      models: onlyModel(model),
      isDevelopmentResponder,
      replace: undefined,
      begin: () => model.begin?.(),
      close: () => model.close(),
    };
  }
  const { log, deadlineMs, onAttempt, onForgotten = () => {}, onUpstreams } = deps;
  const [{ openUpstream }, { ModelsOfFile }] = await Promise.all([
    import('./open-upstream.ts'),
    import('./models-of-file.ts'),
  ]);
  const models = new ModelsOfFile(ai.modelsFile.models, {
    open: (upstream) => openUpstream(upstream, upstreamOptions(deps, upstream.name)),
    deadlineMs,
    onAttempt(attempt) {
      onAttempt?.(attempt);
      logAttempt(log, attempt, fieldsOfFile);
    },
    onForgotten,
  });
  onUpstreams?.(() => models.health());
  return {
    models,
    isDevelopmentResponder: false,
    replace: (configured) => models.replace(configured),
    // Its servers are elsewhere.
    begin() {},
    close: () => models.close(),
  };
}
