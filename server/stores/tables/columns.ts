/** A value of a row or a parameter. Whole numbers are safe integers. A bigint is only ever written. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** The mapping of a value to columns. One description serves both reading and writing. */
export interface Columns<T> {
  /** SQL names, or expressions in columns that are only read. */
  readonly names: readonly string[];
  /** Reads the value from a row in which its columns begin at index `start`. */
  read(row: readonly SqlValue[], start: number): T;
  /** Appends the value's columns to a row. */
  write(value: T, row: SqlValue[]): void;
}

/** The columns of each field. A text names one column that holds the field's value as it is. */
export type Fields<T> = {
  readonly [Name in keyof T]-?: Columns<T[Name]> | (T[Name] extends SqlValue ? string : never);
};

/** Names the columns of fields that hold their values as they are, by their names: `sizeBytes` is in `size_bytes`. */
export function snakeCase<Name extends string>(...fields: readonly Name[]): Readonly<Record<Name, string>> {
  const snake = (field: Name) => [field, field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] as const;
  return Object.fromEntries(fields.map(snake)) as Record<Name, string>;
}

/** Returns the columns with the name of their table, for a statement that joins several. */
export function prefixed<T>(place: string, columns: Columns<T>): Columns<T> {
  return { ...columns, names: columns.names.map((name) => `${place}.${name}`) };
}

/** Describes one column that holds the value as it is. */
export function column<T extends SqlValue>(name: string): Columns<T> {
  return {
    names: [name],
    read: (row, start) => row[start] as T,
    write: (value, row) => row.push(value),
  };
}

/** Describes several columns that hold their values as they are. The quickest form to read many rows in. */
export function tuple<T extends readonly SqlValue[]>(...names: { readonly [At in keyof T]: string }): Columns<T> {
  return {
    names,
    read: (row, start) =>
      (row.length === names.length ? row : row.slice(start, start + names.length)) as readonly unknown[] as T,
    write: (values, row) => row.push(...values),
  };
}

/** Describes an object whose fields have their own columns. A field that is read as undefined is left out. */
export function record<T>(fields: Fields<T>): Columns<T> {
  let width = 0;
  const parts = Object.entries<Columns<unknown> | string>(fields).map(([key, field]) => {
    const columns = typeof field === 'string' ? column(field) : (field as Columns<unknown>);
    const offset = width;
    width += columns.names.length;
    return { key: key as keyof T, columns: columns as Columns<T[keyof T]>, offset };
  });
  return {
    names: parts.flatMap(({ columns }) => columns.names),
    read(row, start) {
      const value: Partial<T> = {};
      for (const { key, columns, offset } of parts) {
        const field = columns.read(row, start + offset);
        if (field !== undefined) value[key] = field;
      }
      return value as T;
    },
    write(value, row) {
      for (const { key, columns } of parts) columns.write(value[key], row);
    },
  };
}

/** Describes the same columns for a value in another form. */
export function mapped<T, Stored>(
  columns: Columns<Stored>,
  decode: (stored: Stored) => T,
  encode: (value: T) => Stored,
): Columns<T> {
  return {
    names: columns.names,
    read: (row, start) => decode(columns.read(row, start)),
    write: (value, row) => columns.write(encode(value), row),
  };
}

/**
 * Describes the same columns for a value that may be null. Then all of them are NULL. The first one is NULL only then.
 */
export function nullable<T>(columns: Columns<T>): Columns<T | null> {
  return {
    names: columns.names,
    read: (row, start) => (row[start] === null ? null : columns.read(row, start)),
    write: (value, row) => (value === null ? row.push(...columns.names.map(() => null)) : columns.write(value, row)),
  };
}

/** Describes a value that is always the same and has no column. */
export function constant<T>(value: T): Columns<T> {
  return { names: [], read: () => value, write: () => {} };
}

/** Describes a boolean column: 1 for true, 0 for false. */
export function flag(name: string): Columns<boolean> {
  return mapped(column<number>(name), (stored) => stored === 1, Number);
}

/** Describes a column with the bytes of a text in lowercase hexadecimal: a hash. */
export function hex(name: string): Columns<string> {
  return mapped(column<Uint8Array>(name), hexOf, bytesOfHex);
}

/** Returns bytes in lowercase hexadecimal. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** @throws {TypeError} if it is not lowercase hexadecimal, which would be read back as another text */
export function bytesOfHex(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'hex');
  if (hexOf(bytes) !== text) throw new TypeError(`${JSON.stringify(text)} must be lowercase hexadecimal.`);
  return bytes;
}

export function json<T>(name: string): Columns<T> {
  return mapped(column<string>(name), (stored) => JSON.parse(stored) as T, JSON.stringify);
}
