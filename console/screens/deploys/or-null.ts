import { ApiError } from '../../app/api-error.ts';

/** Returns null if the request fails with this code, such as that of a missing hook. Throws other errors. */
export async function orNull<T>(answer: Promise<T>, code: string): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.code === code) return null;
    throw error;
  }
}
