import { MemoryPasswordTries } from '#server/features/shares/stores/memory/password-tries.ts';
import { passwordTriesConformance } from '#test/stores/state/password-tries.ts';

passwordTriesConformance('MemoryPasswordTries', async () => new MemoryPasswordTries());
