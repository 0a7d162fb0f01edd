import { MemoryPasswordTries } from '#server/stores/memory/password-tries.ts';
import { passwordTriesConformance } from '../state/password-tries.ts';

passwordTriesConformance('MemoryPasswordTries', async () => new MemoryPasswordTries());
