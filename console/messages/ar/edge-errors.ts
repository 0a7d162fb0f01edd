import type { Messages } from '../en.ts';

export const edgeErrors: Messages['edgeErrors'] = {
  byPath: 'الأخطاء بحسب المسار',
  byStatus: 'الأخطاء بحسب الرمز',
  clientErrors: 'أخطاء العملاء (4xx)',
  errors: 'الأخطاء',
  noErrors: 'لا أخطاء في هذه المدة',
  noErrorsHint: 'هنا ترى الردود برمز خطأ التي تلقاها زوار التطبيق.',
  otherPaths: 'مسارات أخرى',
  overTime: (total: string) => `الأخطاء عبر الزمن: ${total}`,
  path: 'المسار',
  refresh: 'تحديث',
  requests: 'الطلبات',
  serverErrors: 'أخطاء الخادم (5xx)',
  status: 'رمز الحالة',
  window: 'المدة',
  windows: { hour: 'آخر ساعة', day: 'آخر 24 ساعة', week: 'آخر 7 أيام', month: 'آخر 30 يومًا' },
  with4xx: 'مع أخطاء العملاء (4xx)',
};
