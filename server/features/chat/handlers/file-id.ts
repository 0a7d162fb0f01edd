/**
 * Returns the id of the file that a part of a request stands for. Undefined for a part that names none, or brings
 * contents of its own beside it.
 */
export function fileIdIn(fields: object | null | undefined): string | undefined {
  const { file_id: id, file_data: data, file_url: url }: Readonly<Record<string, unknown>> = { ...fields };
  return typeof id === 'string' && !data && !url ? id : undefined;
}
