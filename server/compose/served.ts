import type { RequestListener } from 'node:http';

import type { Handlers } from '#generated/router.ts';
import type { Config } from '#server/config/config.ts';
import type { DoorName } from '#server/config/door-names.ts';
import type { Caller } from '#server/domain/access/caller.ts';
import type { KnownModels } from '#server/domain/access/known-models.ts';
import type { FindLinkOwner } from '#server/domain/ports/owned-path.ts';
import type { PagePart } from '#server/pages/page-part.ts';
import type { UploadLookup } from '#server/domain/upload-lookup.ts';
import type { ApiPart } from '#server/handlers/api-part.ts';
import type { FeatureConsole } from '#server/doors/site/serve-console.ts';
import type { Call } from '#server/handlers/call.ts';
import type { ErrorForm } from '#server/handlers/error-form.ts';
import type { SettingsPart } from '#server/handlers/settings-part.ts';
import type { ProtocolAnswer, ProtocolFault } from '#server/http/protocol-errors.ts';
import type { AnsweredError } from '#server/pipeline/error-count.ts';
import type { Given } from './given.ts';

/** What features have for each other and for the core. Each adds its own to this type. */
export interface Ports {
  /** The models of the AI gateway. Undefined if it is switched off. */
  readonly models?: KnownModels | undefined;
  /**
   * Counts an error response of a door for the account that it belongs to. Must not throw.
   *
   * @param owners find who owns a link of the files door
   */
  readonly countError?:
    | ((door: 'files' | 'public', error: AnsweredError, owners: readonly FindLinkOwner[]) => void)
    | undefined;
}

/** What a server does besides its responses, such as polls, timers and processes. */
interface Work {
  /** Called once everything is composed. Nothing of it begins earlier, because some who compose serve no requests. */
  begin(): void;
  /** All responses are finished. The stores are still open. Also called if it has not begun. */
  stop(): Promise<unknown>;
}

/** What a feature adds to a running server. All is optional. */
export interface Served {
  /** A line for the person who started the server. */
  readonly startLine?: string;
  /** Returns a command to try first, with a comment above it. @param curl the command with a credential */
  firstStep?(curl: string): string;
  readonly ports?: Partial<Ports>;
  /**
   * Returns the handlers of its operations. Called once all features have said what they have for each other.
   *
   * @param served what all of them add, in order
   */
  handlers?(ports: Ports, served: readonly Served[]): Partial<Handlers<Call>>;
  readonly apiPart?: ApiPart;
  /** Its list in the settings of an account. */
  readonly settingsPart?: SettingsPart;
  /** The scripts of its pages. */
  readonly pageScripts?: readonly PagePart[];
  /** Returns the doors that are all its own. */
  doors?(ports: Ports): Partial<Record<DoorName, RequestListener>>;
  /** The response of such a door to bytes that never became a request. */
  readonly protocolAnswers?: Partial<Record<DoorName, (fault: ProtocolFault, requestId: string) => ProtocolAnswer>>;
  /**
   * Returns the account whose link a request without credentials follows. Undefined if its path has no link of this
   * feature, or one that opens nothing.
   */
  ownerOf?(pathParameters: Readonly<Record<string, string>>): Promise<string | undefined> | undefined;
  /** Finds who owns its links, for the errors that their visitors met. */
  readonly linkOwner?: FindLinkOwner;
  lookUpUpload?(caller: Caller, uploadHandle: string): UploadLookup;
  /** Background jobs that it runs at other times too: never twice at once. */
  readonly jobs?: Readonly<Record<string, () => Promise<number | undefined>>>;
  /** Returns the settings that change while the server runs, for the operator. */
  shownSettings?(): Readonly<Record<string, string>>;
  /** Reads the files again that the operator may change while the server runs. */
  reload?(): void;
  /** Called when the server is about to stop, and takes no new requests. */
  beginStop?(): void;
  readonly work?: Work;
}

/** Builds what a feature adds to a running server. It begins nothing, and reads nothing that is stored. */
export type Serve = (given: Given) => Served | Promise<Served>;

declare module '#server/feature.ts' {
  interface Feature {
    /** The formats of its errors, if they have their own. They hold also while the feature is switched off. */
    readonly errorForms?: readonly ErrorForm[];
    /** Returns what the console knows of it, also when it is switched off. */
    readonly consoleConfig?: (config: Config) => Partial<FeatureConsole>;
    /** Whether its `reload()` has something to read. */
    readonly canReload?: (config: Config) => boolean;
    /** Loads what it adds to a running server. A server that has it switched off does not load it. */
    readonly serve?: () => Promise<{ readonly serve: Serve }>;
  }
}
