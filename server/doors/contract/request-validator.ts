/**
 * Checks a request against the contract with express-openapi-validator, and converts its values to their types.
 *
 * Each operation has its own validator, which is made at the operation's first request. That takes some milliseconds. A
 * single validator for all operations takes half a second, and tries the paths of all at each request.
 *
 * A validator reads its operation in a form of its own (`documentOf()`): without responses and examples, and with every
 * form as JSON.
 */
import type { OperationId } from '#generated/policies.ts';
import type { OperationPolicy } from '#server/pipeline/operation-policy.ts';
import { documentOf, type Json } from './operation-document.ts';
import { operationValidator, probeOf, type Validate } from './operation-validator.ts';
import { queryValidatorOf, type ValidateQuery } from './query-validator.ts';
import { checkPath, rawValues, type RawInput } from './raw-values.ts';
import { takesFields } from './request-body.ts';
import { refusalOf } from './violations.ts';

/** A validated request. Query values have their types, and the body matches the contract. */
export interface ValidInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** The validators of the contract's operations. */
export class RequestValidator {
  readonly #readContract: () => Promise<Json>;
  readonly #validators = new Map<OperationId, Promise<Validate>>();
  readonly #queryValidators = new Map<OperationId, ValidateQuery>();
  /**
   * Ends when the last validator is made. Validators are made one after the other, each in its own turn of the event
   * loop.
   */
  #last: Promise<unknown> = Promise.resolve();

  /** @param readContract called for each operation, at its first request */
  constructor(readContract: () => Promise<Json>) {
    this.#readContract = readContract;
  }

  /**
   * Checks a request against the contract and converts its values to their types.
   *
   * @throws the code that the contract names for the first violation
   */
  async validate(operationId: OperationId, policy: OperationPolicy, raw: RawInput): Promise<ValidInput> {
    const { values: query, refused } = rawValues(policy.queryFields, raw.query);
    for (const [name, value] of Object.entries(raw.pathParameters)) {
      const field = policy.pathFields[name];
      if (field) checkPath(field, value);
    }
    const validQuery = refused ? undefined : this.#queryValidators.get(operationId)?.(query);
    if (validQuery) return { path: {}, query: validQuery, body: undefined };
    const probe = probeOf(policy, raw, query);
    const validate = needsValidation(policy) ? await this.#validatorOf(operationId, policy) : () => [];
    const found = await validate(probe, raw.pathParameters);
    const findings = refused ? found.filter(({ path }) => refused.earlier.has(path)) : found;
    if (findings.length > 0) throw refusalOf(findings, { operationId, policy }, { raw, body: probe.body });
    if (refused) throw refused.refusal;
    return { path: probe.params, query: probe.query as Json, body: probe.body };
  }

  #validatorOf(id: OperationId, policy: OperationPolicy): Promise<Validate> {
    const known = this.#validators.get(id);
    if (known) return known;
    const made = this.#last.then(() => this.#make(id, policy));
    this.#last = made.catch(() => this.#validators.delete(id));
    this.#validators.set(id, made);
    return made;
  }

  async #make(id: OperationId, policy: OperationPolicy): Promise<Validate> {
    const contract = await this.#readContract();
    const validate = await operationValidator(documentOf(contract, policy), policy);
    const validateQuery = queryValidatorOf(documentOf(contract, policy), policy);
    if (validateQuery) this.#queryValidators.set(id, validateQuery);
    return validate;
  }
}

/** Whether a request has anything to validate. The validator is loaded only for operations that have. */
function needsValidation(policy: OperationPolicy): boolean {
  return policy.path.includes('{') || Object.keys(policy.queryFields).length > 0 || takesFields(policy);
}
