const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];

/**
 * A node of the document and where it lies. `at` goes down one step and follows references; it is `undefined` where
 * nothing lies, so that steps can be chained.
 */
class Place {
  constructor(ctx, node, location) {
    this.ctx = ctx;
    this.node = node;
    this.location = location;
  }

  static follow(ctx, node, location) {
    let place = new Place(ctx, node, location);
    while (typeof place.node?.$ref === 'string') {
      const target = ctx.resolve(place.node, place.location.source.absoluteRef);
      // A reference that leads nowhere is reported by the built-in rule no-unresolved-refs.
      if (target.node === undefined) return undefined;
      place = new Place(ctx, target.node, target.location);
    }
    return place;
  }

  at(key) {
    const child = this.node?.[key];
    return child === undefined ? undefined : Place.follow(this.ctx, child, this.location.child([key]));
  }

  entries() {
    return Object.keys(this.node ?? {}).flatMap((key) => {
      const child = this.at(key);
      return child ? [[key, child]] : [];
    });
  }
}

/** Every operation with its path, its method, its place and a name for messages. */
export function operationsOf(root, ctx) {
  const top = new Place(ctx, root, ctx.location);
  return (top.at('paths')?.entries() ?? []).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const place = item.at(method);
      if (!place) return [];
      const name = place.node.operationId ?? `${method.toUpperCase()} ${path}`;
      return [{ path, method, item, place, spec: place.node, name }];
    }),
  );
}

/** The responses of an operation: status as text, and its place. */
export function responsesOf(operation) {
  return operation.place.at('responses')?.entries() ?? [];
}

/** A rule that looks at one operation after the other. */
export function eachOperation(check) {
  return () => ({
    Root(root, ctx) {
      for (const operation of operationsOf(root, ctx)) {
        const report = (message, place = operation.place) => ctx.report({ message, location: place.location });
        check(operation, report, { root, ctx });
      }
    },
  });
}
