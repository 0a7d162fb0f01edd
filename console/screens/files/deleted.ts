/** What was deleted, as far as the trash keeps it. */
export class Deleted {
  readonly versions: Array<{ readonly version: string; readonly name: string }> = [];
  readonly jobs: Array<{ readonly id: string; readonly prefix: string; readonly name: string }> = [];

  get isEmpty(): boolean {
    return this.versions.length === 0 && this.jobs.length === 0;
  }
}
