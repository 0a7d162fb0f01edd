// `import 'cubby-server/uploader/solid'`: the element and its types for Solid.
import type { CubbyUpload } from './element.ts';
import type { CubbyUploadProps, SolidHandlers, Without } from './jsx.ts';

export * from './element.ts';

// @ts-ignore: the package is present in the application, not in this build.
declare module 'solid-js/jsx-runtime' {
  namespace JSX {
    interface IntrinsicElements {
      // @ts-ignore
      'cubby-upload': Without<HTMLAttributes<CubbyUpload>> & CubbyUploadProps & SolidHandlers;
    }
  }
}
