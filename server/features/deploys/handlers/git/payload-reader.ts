import { pushPayload } from '../../limits.ts';
import { Refusal } from '#server/domain/refusal.ts';
import type { Call } from '#server/handlers/call.ts';
import { BodyError } from '#server/http/body-error.ts';
import { FormFieldPicker } from '#server/http/pick-form-field.ts';
import { JsonPicker } from '#server/http/pick-json.ts';
import { fileFields, payloadFields } from './payload.ts';

/** The most fields of a form. Hosts send one. */
const maxFields = 10;

/**
 * Reads the fields that any host's reader needs from a delivery that arrives piece by piece. A form has the JSON in
 * `payload`, and perhaps other fields.
 *
 * An error is kept until the end, because the rest of the bytes still counts for the signature.
 */
export class PayloadReader {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #form: FormFieldPicker | undefined;
  readonly #fields: JsonPicker;
  /** Reads the lists of files too. Undefined if they are not wanted, or there are more than are compared. */
  #withFiles: JsonPicker | undefined;
  #error: unknown;

  /** @param readsFiles whether the files that a push changes are wanted */
  constructor({ raw: { isForm }, keep }: Pick<Call, 'raw' | 'keep'>, readsFiles: boolean) {
    this.#fields = pickerOf(payloadFields, keep);
    this.#withFiles = readsFiles ? pickerOf(fileFields, keep) : undefined;
    if (!isForm) return;
    const onValue = (bytes: Uint8Array) => this.#read(bytes);
    this.#form = new FormFieldPicker({ name: 'payload', maxFields, onValue });
  }

  /** @throws {BodyError} `no-memory` */
  write(bytes: Uint8Array): void {
    if (this.#error !== undefined) return;
    try {
      if (this.#form) this.#form.write(bytes);
      else this.#read(bytes);
    } catch (error) {
      if (error instanceof BodyError && error.reason === 'no-memory') throw error;
      this.#error = error;
    }
  }

  /** @throws INVALID_PAYLOAD */
  end(): unknown {
    try {
      if (this.#error !== undefined) throw this.#error;
      this.#form?.end();
      this.#utf8.decode();
      return (this.#withFiles ?? this.#fields).end();
    } catch (error) {
      // A TypeError is that of the decoder: the text is not UTF-8.
      throw error instanceof BodyError || error instanceof TypeError ? new Refusal('INVALID_PAYLOAD') : error;
    }
  }

  #read(bytes: Uint8Array): void {
    this.#utf8.decode(bytes, { stream: true });
    this.#fields.write(bytes);
    try {
      this.#withFiles?.write(bytes);
    } catch (error) {
      if (!(error instanceof BodyError) || error.reason !== 'too-many') throw error;
      this.#withFiles = undefined;
    }
  }
}

function pickerOf(names: ReadonlySet<string>, keep: Call['keep']): JsonPicker {
  let keptBytes = 0;
  const onKept = (bytes: number): void => {
    keptBytes += bytes;
    if (keptBytes > pushPayload.maxKeptBytes) throw new BodyError('too-many');
    keep(bytes);
  };
  return new JsonPicker({ ...pushPayload, names, onKept });
}
