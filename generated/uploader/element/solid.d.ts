// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { CubbyUpload } from './element.js';
import type { CubbyUploadProps, SolidHandlers, Without } from './jsx.js';
export * from './element.js';
declare module 'solid-js/jsx-runtime' {
    namespace JSX {
        interface IntrinsicElements {
            'cubby-upload': Without<HTMLAttributes<CubbyUpload>> & CubbyUploadProps & SolidHandlers;
        }
    }
}
