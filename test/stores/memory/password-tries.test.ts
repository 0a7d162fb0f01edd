import { MemoryPasswordTries } from '#server/features/shares/stores/memory/password-tries.ts';
import { passwordTriesConformance } from '../state/password-tries.ts';

passwordTriesConformance('MemoryPasswordTries', async () => new MemoryPasswordTries());
