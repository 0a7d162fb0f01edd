import { maxS3Keys } from '../limits.ts';
import { invalidArgument } from './errors.ts';
import { encodeKey } from './keys.ts';
import { parameter, type S3Request } from './request.ts';
import type { XmlElements } from './xml.ts';

/** The parameters that all lists of keys take. */
export interface ListQuery {
  readonly prefix: string;
  /** Empty when it is not given. */
  readonly delimiter: string;
  /** The most entries of a page, 0 to 1000. */
  readonly most: number;
  /** Writes a key, prefix or marker in the encoding that the client requested. */
  readonly encoded: (text: string) => string;
  /** `url`, or undefined for keys as they are. */
  readonly encoding: string | undefined;
}

/** Reads the parameters that all lists take. @param maxName the parameter of the page's size @throws InvalidArgument */
export function listQuery(request: S3Request, maxName: 'max-keys' | 'max-uploads'): ListQuery {
  const encoding = parameter(request, 'encoding-type');
  if (encoding !== undefined && encoding !== 'url')
    throw invalidArgument('encoding-type', 'encoding-type must be url.', encoding);
  return {
    prefix: parameter(request, 'prefix') ?? '',
    delimiter: parameter(request, 'delimiter') ?? '',
    most: countOf(parameter(request, maxName), maxName, maxS3Keys),
    encoding,
    // Markers are encoded like keys, because clients decode all of them or none.
    encoded: encoding === 'url' ? encodeKey : (text) => text,
  };
}

/** Returns the elements that every list of files begins with. */
export function headElements({ bucket }: S3Request, query: ListQuery, isTruncated: boolean): XmlElements {
  const { prefix, delimiter, most, encoded, encoding } = query;
  return {
    Name: bucket,
    Prefix: encoded(prefix),
    Delimiter: delimiter === '' ? undefined : encoded(delimiter),
    MaxKeys: most,
    EncodingType: encoding,
    IsTruncated: isTruncated,
  };
}

/** Returns the common prefixes of a list, as elements. */
export function prefixElements(prefixes: readonly string[], { encoded }: ListQuery): XmlElements[] {
  return prefixes.map((prefix) => ({ Prefix: encoded(prefix) }));
}

/** S3 reads counts as 32-bit integers. */
const maxCount = 2_147_483_647;

/** Reads a count from 0 on. A count above `most`, or none, means `most`. @throws InvalidArgument */
export function countOf(text: string | undefined, name: string, most: number): number {
  if (text === undefined || text === '') return most;
  if (!/^[0-9]{1,10}$/.test(text) || Number(text) > maxCount)
    throw invalidArgument(name, `${name} must be a whole number from 0 to ${maxCount}.`, text);
  return Math.min(Number(text), most);
}
