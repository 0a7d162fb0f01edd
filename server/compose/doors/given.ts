import type { ChatGateway } from '#server/compose/chat.ts';
import type { CountedErrors } from '#server/compose/door-errors.ts';
import type { CountedTraffic } from '#server/compose/traffic.ts';
import type { Config, DoorName } from '#server/config/config.ts';
import type { RequestedJobs } from '#server/domain/jobs/run-job.ts';
import type { OperatorBackups } from '#server/domain/operator/backups.ts';
import type { Scrypt } from '#server/domain/ports/scrypt.ts';
import type { CommitStatusPorts } from '#server/features/deploys/handlers/commit-statuses.ts';
import type { ImageDeps } from '#server/features/images/handlers/image-variant.ts';
import type { WebhookPorts } from '#server/features/webhooks/handlers/webhooks.ts';
import type { BodyMemory } from '#server/http/body-memory.ts';
import type { BodyPace } from '#server/http/body-pace.ts';
import type { Log } from '#server/log.ts';
import type { Metrics } from '#server/metrics.ts';
import type { Answer } from '#server/pipeline/pipeline.ts';
import type { Stores } from '#server/stores/open.ts';
import type { Tracing } from '#server/telemetry/tracing.ts';

/** The addresses that clients see. */
export type Urls = Readonly<Record<DoorName | 'base', string>>;

/** Functions that the doors call after certain events. */
interface DoorEvents {
  /** Called when a stored file has no SHA-256 yet. */
  readonly onUnhashed: () => void;
  readonly noteError: CountedErrors['note'];
  readonly noteTraffic: CountedTraffic['note'];
  /** Called when an operator requested a round of the scrub. */
  readonly onScrubStarted: () => void;
}

/** What the doors are built of. */
export interface Given {
  readonly config: Config;
  readonly urls: Urls;
  readonly log: Log;
  readonly stores: Stores;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly chat: ChatGateway;
  /** Undefined if variants of images are off. */
  readonly images: ImageDeps | undefined;
  readonly backups: OperatorBackups;
  readonly requestedJobs: RequestedJobs;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
  readonly events: DoorEvents;
  readonly webhooks: Pick<WebhookPorts, 'isAllowedUrl' | 'onDeliveries'> & Pick<CommitStatusPorts, 'isAllowedOrigin'>;
  /** Called when a job over a folder was started. */
  onFolderJob(): void;
  /** The folder of the built console. */
  readonly consoleFolder?: string | undefined;
  /** Wraps what responds to the requests of every door. */
  readonly wrapAnswer?: ((real: Answer) => Answer) | undefined;
  /** Wraps the hashing of passwords. */
  readonly wrapScrypt?: ((real: Scrypt) => Scrypt) | undefined;
  readonly slowestBufferedBody?: BodyPace | undefined;
  readonly onBodies?: ((bodies: BodyMemory) => void) | undefined;
}
