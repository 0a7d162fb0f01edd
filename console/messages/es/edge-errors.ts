import type { Messages } from '../en.ts';

export const edgeErrors: Messages['edgeErrors'] = {
  byPath: 'Errores por ruta',
  byStatus: 'Errores por estado',
  clientErrors: 'Errores de clientes (4xx)',
  errors: 'Errores',
  noErrors: 'Ningún error en este período',
  noErrorsHint: 'Aquí ves las respuestas con un estado de error que recibieron los visitantes de la aplicación.',
  otherPaths: 'otras rutas',
  overTime: (total: string) => `Errores a lo largo del tiempo: ${total}`,
  path: 'Ruta',
  refresh: 'Actualizar',
  requests: 'Solicitudes',
  serverErrors: 'Errores del servidor (5xx)',
  status: 'Estado',
  window: 'Período',
  windows: { hour: 'Última hora', day: 'Últimas 24 horas', week: 'Últimos 7 días', month: 'Últimos 30 días' },
  with4xx: 'Con errores de clientes (4xx)',
};
