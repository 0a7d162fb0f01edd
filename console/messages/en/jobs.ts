export const jobs = {
  lead: 'What the server does by itself: it removes what has expired, and looks after its data.',
  count: 'Things done',
  done: (job: string) => `${job} is done.`,
  doneWith: (job: string, count: string) => `${job} is done: ${count}.`,
  goesOn: (job: string) => `${job} goes on. Its end is shown here.`,
  job: 'Job',
  lastRun: 'Last run',
  run: 'Run',
  running: 'Running',
  seconds: (seconds: string) => `${seconds} s`,
  took: 'Took',
  waitsForClock: 'Waits for the clock',
};
