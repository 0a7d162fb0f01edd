import type { Messages } from '../en.ts';

export const jobs: Messages['jobs'] = {
  lead: 'Lo que el servidor hace por sí mismo: elimina lo caducado y cuida de los datos.',
  count: 'Cosas hechas',
  done: (job: string) => `${job} ha terminado.`,
  doneWith: (job: string, count: string) => `${job} ha terminado: ${count}.`,
  goesOn: (job: string) => `${job} sigue. Su fin se muestra aquí.`,
  job: 'Tarea',
  lastRun: 'Última ejecución',
  run: 'Ejecutar',
  running: 'En curso',
  seconds: (seconds: string) => `${seconds} s`,
  took: 'Duración',
  waitsForClock: 'Espera al reloj',
};
