import type { Operation } from '../../codegen/document.ts';
import { linkTo } from './page.ts';

/**
 * Returns the address of a code's page, which is named in upper case. The same word in lower case belongs to another
 * vocabulary and shares the page.
 */
export function errorPath(code: string): string {
  return `errors/${code.toUpperCase()}`;
}

/** Returns the address of a tag's page. */
export function tagPath(tag: string): string {
  return `reference/${tag}`;
}

/** Returns the link from a page to an operation. */
export function linkToOperation(from: string, { tag, id }: Operation): string {
  return `${linkTo(from, tagPath(tag))}#${operationAnchor(id)}`;
}

/** Returns the anchor of an operation on the page of its tag. The generator writes all anchors in lower case. */
export function operationAnchor(id: string): string {
  return id.toLowerCase();
}
