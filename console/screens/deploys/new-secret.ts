const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** Returns a random secret of 40 letters and digits, about 230 bits. */
export function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(40)), (value) => letters[value % letters.length]).join('');
}
