export { eventTypes, type EventType } from '#generated/vocabulary.ts';
