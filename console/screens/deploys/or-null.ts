import { ApiError } from '../../app/api-error.ts';

/** Resolves to null if the server answers with a code that says that there is nothing. */
export async function orNull<T>(answer: Promise<T>, code: string): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return null;
    throw error;
  }
}
