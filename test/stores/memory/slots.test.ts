import { MemorySlots } from '#server/stores/memory/slots.ts';
import { slotsConformance } from '../state/slots.ts';

slotsConformance('MemorySlots', async () => new MemorySlots());
