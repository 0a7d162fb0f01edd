import { print, type Json } from './document.ts';

/** Prints the type of an error in the form of messages for each status, as the schema of these errors says. */
export function printMessagesErrorTypes({ components }: Json): string {
  const { enum: types, 'x-values-of-statuses': ofStatuses } =
    components.schemas.MessagesError.properties.error.properties.type;
  return `
/** The type of an error in the form of messages, by its status. */
export const messagesErrorTypes = ${print({ ...ofStatuses, other: types[0] })} as const;
`;
}
