import type { Messages } from '../en.ts';

export const trash: Messages['trash'] = {
  lead:
    'Archivos eliminados y reemplazados, mientras una regla los guarda. Cuentan para el almacenamiento hasta que ' +
    'desaparecen.',
  holds: (files: string, size: string) => `La papelera tiene ${files} versiones, ${size}.`,
  emptyTitle: 'La papelera está vacía',
  empty:
    'Aquí solo llega lo que guarda una regla. Dé a una carpeta una regla con días en la papelera, para que las ' +
    'eliminaciones puedan deshacerse.',
  toRules: 'A las reglas',
  nothingTitle: 'Nada en la papelera empieza así',
  prefix: 'Carpeta o comienzo del nombre',
  file: 'Archivo',
  reason: 'Motivo',
  reasons: { deleted: 'Eliminado', replaced: 'Reemplazado' },
  since: 'Desde',
  gone: 'Desaparece',
  size: 'Tamaño',
  select: (name: string) => `Seleccionar ${name}`,
  selectAll: 'Seleccionar todo lo que se ve',
  selected: (count: string) => `Seleccionados: ${count}`,
  unselect: 'No seleccionar nada',
  restore: 'Restaurar',
  purge: 'Eliminar para siempre',
  versions: 'Versiones de este archivo',
  actions: (name: string) => `Acciones para ${name}`,
  restored: (count: string) => `Restaurados: ${count}`,
  purged: (count: string) => `Eliminados para siempre: ${count}`,
  purgeTitle: (count: string) => `¿Eliminar ${count} para siempre?`,
  purgeText: 'Esto no puede deshacerse. Después el espacio queda libre.',
  takenTitle: 'Ya hay un archivo con este nombre',
  takenText: (count: string) =>
    `Para ${count} de las versiones seleccionadas hay un archivo con el mismo nombre. ¿Poner las versiones en su ` +
    'lugar? La papelera guarda el archivo actual solo si lo dice la regla de su carpeta.',
  replace: 'Reemplazar',
  notDone: (count: string) => `No fue posible: ${count}. Quizá ya no existan.`,
  emptyAll: 'Vaciar la papelera',
  emptyShown: 'Eliminar todos estos para siempre',
  emptyTitleAsk: '¿Eliminar todo esto para siempre?',
  emptyText: 'Se eliminan todas las versiones de esta lista, también las que aún no se ven. Esto no puede deshacerse.',
  progress: (count: string) => `Eliminados hasta ahora: ${count}`,
  versionsLead: 'Lo que la papelera guarda de este archivo, lo más nuevo primero.',
  now: 'El archivo como está ahora',
  nowNone: 'Ahora no hay ningún archivo con este nombre.',
  toTrash: 'A la papelera',
  versionsNone: 'La papelera no guarda ninguna versión de este archivo.',
  written: 'Escrito',
};
