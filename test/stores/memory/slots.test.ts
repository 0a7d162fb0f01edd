import { admissionInSteps } from '#server/stores/memory/admission.ts';
import { MemoryRateLimits } from '#server/stores/memory/rate-limits.ts';
import { MemorySlots } from '#server/stores/memory/slots.ts';
import { openTestStores } from '#test/support/stores.ts';
import { slotsConformance } from '../state/slots.ts';

slotsConformance('MemorySlots', async () => {
  const slots = new MemorySlots();
  return { slots, admission: admissionInSteps(await MemoryRateLimits.restore(await openTestStores()), slots) };
});
