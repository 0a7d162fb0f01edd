import type { Messages } from '../en.ts';

export const usage: Messages['usage'] = {
  lead: 'Qué guarda esta cuenta, cuánto cuesta y cómo cambió con el tiempo.',
  storage: 'Almacenamiento',
  share: 'Parte del almacenamiento del plan',
  ofIncluded: (share: string, size: string, plan: string) => `${share} de los ${size} que incluye el plan ${plan}.`,
  nothingIncluded: 'El plan no incluye almacenamiento.',
  files: 'Archivos',
  trash: (count: string, size: string) =>
    `La papelera tiene ${count} más, con ${size}, que cuentan como almacenamiento.`,
  mean: 'Media de este mes',
  days: (days: string) => `De los ${days} días completos (UTC) de este mes hasta ahora.`,
  noDays: 'Este mes aún no tiene un día completo (UTC).',
  bill: 'Factura estimada',
  extra: (size: string) => `Por ${size} por encima del plan, según lo guardado ahora.`,
  noExtra: 'Nada está por encima del plan.',
  price: (price: string) => `Cada GiB empezado cuesta ${price} al mes.`,
  history: 'A lo largo del tiempo',
  historyLead:
    'El almacenamiento y los archivos son la media de cada día (UTC); las solicitudes y los bytes enviados, su ' +
    'suma. Hoy cuenta hasta ahora. Los días se conservan 400 días.',
  requests: 'Solicitudes',
  sent: 'Enviado',
  monthsRequests: 'Solicitudes de este mes',
  monthsSent: (size: string) => `Se enviaron ${size} en respuesta.`,
  range: 'Periodo',
  lastDays: (days: string) => `Últimos ${days} días`,
  save: 'Guardar como CSV',
  numbers: 'Mostrar los números',
  noHistory: 'No se midió ningún día en este periodo',
  day: 'Día',
  notCounted: 'no contado',
  ai: 'IA',
};
