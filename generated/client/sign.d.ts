/** A variant of an image. It needs `w`, `h` or both. */
export interface ImageVariant {
    /** The most pixels in width, from 1 to 4096. */
    readonly w?: number;
    /** The most pixels in height, from 1 to 4096. */
    readonly h?: number;
    /** `contain` (default) fits the whole image into the box. `cover` fills the box and cuts the rest. */
    readonly fit?: 'contain' | 'cover';
    /** Quality from 1 to 100. */
    readonly q?: number;
    /** `auto` (default) is the smallest format that the browser names. */
    readonly f?: 'auto' | 'jpeg' | 'png' | 'webp' | 'avif';
}
/**
 * Returns the address of a variant of an image, with the signature of your account. Call it on a server. The key can sign
 * every variant, so no page may have it.
 *
 * @param url the address of a public file, or a temporary link
 * @param key the signing key of the account, from `getImageKey()`
 */
export declare function sign(url: string, { w, h, fit, q, f }: ImageVariant, key: string): Promise<string>;
