// `import 'cubby-server/uploader/react'`: the element and its types for React 19.
import type { CubbyUpload } from './element.ts';
import type { CubbyUploadProps, Handlers, Without } from './jsx.ts';

export * from './element.ts';

// @ts-ignore: the package is present in the application, not in this build.
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      'cubby-upload': Without<DetailedHTMLProps<HTMLAttributes<CubbyUpload>, CubbyUpload>> &
        CubbyUploadProps &
        Handlers;
    }
  }
}
