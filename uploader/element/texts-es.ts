import { mostBytes } from '../file-size.ts';
import { failureKind, type FailureKind } from './failure-kind.ts';
import { formatSize } from './format-size.ts';
import type { Texts } from './texts.ts';

const locale = 'es';
const files = (count: number) => (count === 1 ? '1 archivo' : `${count} archivos`);

const failures: Readonly<Record<FailureKind, string>> = {
  type: 'Aquí no se acepta este tipo de archivo.',
  small: 'El archivo es demasiado pequeño: se necesitan al menos 512 bytes.',
  large: 'El archivo es demasiado grande para este lugar.',
  full: 'No queda espacio para este archivo. Avise a quien administra esta página.',
  disk:
    'El servidor no tiene espacio para archivos ahora. ' +
    'Avise a quien administra esta página e inténtelo de nuevo más tarde.',
  used: 'Este permiso ya no acepta más archivos. Recargue la página para obtener uno nuevo.',
  denied: 'No puede subir archivos aquí, o ya no puede. Vuelva a iniciar sesión o recargue la página.',
  exists: 'Ya hay un archivo con este nombre. Cambie el nombre del suyo y elíjalo de nuevo.',
  unreadable: 'No se puede leer el archivo. Puede que se haya modificado, movido o eliminado. Elíjalo de nuevo.',
  unreachable: 'No se puede acceder al servidor. Revise su conexión e inténtelo de nuevo.',
  busy: 'El servidor no puede recibir el archivo ahora. Inténtelo de nuevo en unos minutos.',
  unsure:
    'La conexión se cortó justo al final, así que el archivo puede haber llegado. ' +
    'Si lo intenta de nuevo, puede quedar duplicado.',
  setup: 'Algo no está bien configurado aquí. Avise a quien administra esta página.',
  unknown: 'La subida no funcionó. Inténtelo de nuevo en unos minutos.',
};
const failed: Texts['failed'] = (error) => failures[failureKind(error)];

export const spanish: Texts = {
  locale,
  choose: 'Elegir archivos',
  chooseFolder: 'Elegir una carpeta',
  orDrop: 'o suéltelos aquí',
  limits: ({ minBytes, maxBytes, maxTotalBytes, maxFiles }) =>
    [
      maxFiles > 1 && Number.isFinite(maxFiles) ? `como máximo ${maxFiles} archivos` : '',
      minBytes > 512 ? `desde ${formatSize(minBytes, locale)}` : '',
      maxBytes < mostBytes ? `hasta ${formatSize(maxBytes, locale)} cada uno` : '',
      Number.isFinite(maxTotalBytes) ? `hasta ${formatSize(maxTotalBytes, locale)} en total` : '',
    ]
      .filter(Boolean)
      .join(', '),
  reading: (count) => `Leyendo la carpeta: ${files(count)} hasta ahora`,
  list: 'Archivos para subir',
  waiting: 'En espera',
  checking: 'Comparando con lo que ya está subido',
  offline: 'Sin conexión con el servidor. La subida sigue sola',
  paused: 'En pausa',
  completed: 'Subido',
  cancelling: 'Cancelando',
  open: 'Abrir',
  pause: 'Pausar',
  resume: 'Continuar',
  cancel: 'Cancelar',
  again: 'Intentar de nuevo',
  remove: 'Quitar de la lista',
  start: 'Subir',
  pauseAll: 'Pausar todo',
  resumeAll: 'Continuar todo',
  cancelAll: 'Cancelar todo',
  againAll: 'Intentar todo de nuevo',
  clear: 'Vaciar la lista',
  total: 'Todos los archivos',
  progressOf: (file) => `Progreso de ${file}`,
  actionOn: (action, file) => `${action}: ${file}`,
  uploading: (sent, total, percent) => `${sent} de ${total}, ${percent} %`,
  timeLeft(seconds) {
    if (seconds < 60) return 'falta menos de un minuto';
    const minutes = Math.round(seconds / 60);
    if (minutes < 90) return minutes === 1 ? 'falta cerca de un minuto' : `faltan unos ${minutes} minutos`;
    return `faltan unas ${Math.round(minutes / 60)} horas`;
  },
  filesDone: (done, count) => `${done} de ${files(count)}`,
  filesFailed: (count) => (count === 1 ? '1 no funcionó' : `${count} no funcionaron`),
  notShown: (count) => `y ${files(count)} más`,
  failed,
  refused: (reason, { minBytes, maxBytes, maxTotalBytes, maxFiles }) =>
    ({
      type: 'aquí no se acepta este tipo de archivo',
      small: `menos de ${formatSize(minBytes, locale)}`,
      large: `más de ${formatSize(maxBytes, locale)}`,
      total: `más de ${formatSize(maxTotalBytes, locale)} en total`,
      count: maxFiles === 1 ? 'aquí solo se acepta un archivo' : `aquí se aceptan como máximo ${files(maxFiles)}`,
      folder: 'aquí no se aceptan carpetas',
      empty: 'no contiene ningún archivo',
      hidden: 'oculto',
      unreadable: 'no se puede leer',
      page: 'no se quiere aquí',
    })[reason],
  saysAdded: (count) => (count === 1 ? 'Se añadió 1 archivo.' : `Se añadieron ${count} archivos.`),
  saysCompleted: (file) => `${file} está subido.`,
  saysCompletedMany: (count) => `${files(count)} están subidos.`,
  saysFailed: (file, error) => `No se pudo subir ${file}. ${failed(error)}`,
  saysFailedMany: (count) => `No se pudieron subir ${files(count)}.`,
  saysPaused: (file) => `${file} está en pausa.`,
  saysResumed: (file) => `${file} continúa.`,
  saysCancelled: (file) => `${file} está cancelado.`,
  saysOffline: 'No hay conexión con el servidor. La subida sigue sola cuando vuelva.',
  saysOnline: 'La conexión ha vuelto. La subida sigue.',
  saysAllPaused: 'Todas las subidas están en pausa.',
  saysAllResumed: 'Todas las subidas continúan.',
  saysAllCancelled: 'Todas las subidas están canceladas.',
  saysRefused: (why, names, more) => `No aceptado (${why}): ${names.join(', ')}${more > 0 ? ` y ${more} más` : ''}.`,
  required: 'Elija un archivo.',
  unfinished: 'Espere a que los archivos estén subidos.',
};
