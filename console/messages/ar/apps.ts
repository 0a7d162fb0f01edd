import type { Messages } from '../en.ts';

export const apps: Messages['apps'] = {
  app: 'التطبيق',
  appId: 'المعرّف',
  apps: 'التطبيقات',
  builtIn: 'الملفات والروابط',
  created: 'أُنشئ',
  noApps: 'لا تطبيقات',
  noAppsHint: 'مشغّل الخادم هو من ينشئ التطبيقات. اطلب منه تطبيقًا إن احتجت إليه.',
  noSuchApp: 'هذا التطبيق غير موجود، أو لا يجوز لمفتاحك استعماله',
  parts: 'أقسام التطبيق',
};
