// Made from uploader/ by `npm run generate`. Never edit it by hand.
import type { CubbyUpload } from './element.js';
import type { CubbyUploadProps, Handlers, Without } from './jsx.js';
export * from './element.js';
declare module 'react' {
    namespace JSX {
        interface IntrinsicElements {
            'cubby-upload': Without<DetailedHTMLProps<HTMLAttributes<CubbyUpload>, CubbyUpload>> & CubbyUploadProps & Handlers;
        }
    }
}
