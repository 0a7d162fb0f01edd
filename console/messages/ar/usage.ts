import type { Messages } from '../en.ts';

export const usage: Messages['usage'] = {
  lead: 'ما يخزنه هذا الحساب، وكم يكلف، وكيف تغيّر مع الوقت.',
  storage: 'التخزين',
  share: 'النسبة من تخزين الخطة',
  ofIncluded: (share: string, size: string, plan: string) => `${share} من ${size} في الخطة ${plan}.`,
  nothingIncluded: 'لا تشمل الخطة تخزينًا.',
  files: 'الملفات',
  trash: (count: string, size: string) => `في المهملات ${count} أخرى، حجمها ${size}، وتُحتسب من التخزين.`,
  mean: 'متوسط هذا الشهر',
  days: (days: string) => `عبر ${days} من الأيام الكاملة (UTC) في هذا الشهر حتى الآن.`,
  noDays: 'ليس في هذا الشهر يوم كامل (UTC) بعد.',
  bill: 'الفاتورة المقدّرة',
  extra: (size: string) => `عن ${size} فوق الخطة، حسب المخزّن الآن.`,
  noExtra: 'لا شيء فوق الخطة.',
  price: (price: string) => `كل GiB يبدأ يكلف ${price} في الشهر.`,
  history: 'عبر الوقت',
  historyLead:
    'التخزين والملفات متوسط كل يوم (UTC)، والطلبات والبايتات المرسلة مجموعه. اليوم محسوب حتى ' +
    'الآن. تُحفظ الأيام 400 يوم.',
  requests: 'الطلبات',
  sent: 'المُرسَل',
  monthsRequests: 'طلبات هذا الشهر',
  monthsSent: (size: string) => `أُرسل ${size} ردًّا عليها.`,
  range: 'الفترة',
  lastDays: (days: string) => `آخر ${days} يومًا`,
  save: 'حفظ بصيغة CSV',
  numbers: 'عرض الأرقام',
  noHistory: 'لم يُقَس أي يوم في هذه الفترة',
  day: 'اليوم',
  notCounted: 'لم يُعدّ',
  ai: 'الذكاء الاصطناعي',
};
