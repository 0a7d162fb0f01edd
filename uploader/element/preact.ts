// `import 'cubby-server/uploader/preact'`: the element and its types for Preact.
// @ts-ignore: the package is present in the application, not in this build.
import type { HTMLAttributes } from 'preact';

import type { CubbyUpload } from './element.ts';
import type { CubbyUploadProps, Handlers, Without } from './jsx.ts';

export * from './element.ts';

// @ts-ignore: the package is present in the application, not in this build.
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      'cubby-upload': Without<HTMLAttributes<CubbyUpload>> & CubbyUploadProps & Handlers;
    }
  }
}
