// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { HTMLAttributes } from 'preact';
import type { CubbyUpload } from './element.js';
import type { CubbyUploadProps, Handlers, Without } from './jsx.js';
export * from './element.js';
declare module 'preact' {
    namespace JSX {
        interface IntrinsicElements {
            'cubby-upload': Without<HTMLAttributes<CubbyUpload>> & CubbyUploadProps & Handlers;
        }
    }
}
