import type { Messages } from '../en.ts';

export const jobs: Messages['jobs'] = {
  lead: 'ما يفعله الخادم وحده: يزيل ما انتهى ويعتني ببياناته.',
  count: 'ما أُنجز',
  done: (job: string) => `انتهت ${job}.`,
  doneWith: (job: string, count: string) => `انتهت ${job}: ${count}.`,
  goesOn: (job: string) => `${job} مستمرة. تظهر نهايتها هنا.`,
  job: 'المهمة',
  lastRun: 'آخر تشغيل',
  run: 'تشغيل',
  running: 'جارية',
  seconds: (seconds: string) => `${seconds} ث`,
  took: 'المدة',
  waitsForClock: 'تنتظر الساعة',
};
