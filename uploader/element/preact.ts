// `import 'cubby/uploader/preact'`: the element, and its types for Preact.
import type { CubbyUpload } from './element.ts';
import type { CubbyUploadProps, Handlers, Without } from './jsx.ts';

export * from './element.ts';

// @ts-ignore: it is there where this is used, not where this is compiled.
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      'cubby-upload': Without<HTMLAttributes<CubbyUpload>> & CubbyUploadProps & Handlers;
    }
  }
}
