"""
Runs a program that is written in Python, each time in a fork of one process that has read its modules: starting Python
and reading them takes most of the time that such a program needs.

Usage: forks.py SOCKET PROGRAM MODULE...
"""

import atexit
import importlib
import json
import os
import socket
import sys
import traceback
import types


def exit_code(program, code):
    sys.modules["__main__"] = main = types.ModuleType("__main__")
    main.__file__ = program
    try:
        exec(code, main.__dict__)
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def run(asked, program, code):
    """Becomes the program with what the command has: its arguments, folder, environment and open files."""
    message, files, *_ = socket.recv_fds(asked, 1 << 20, 3)
    arguments, folder, environment = json.loads(message)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.environ.clear()
    os.environ.update({**environment, **set_by_modules})
    os.chdir(folder)
    sys.argv = [program, *arguments]
    status = exit_code(program, code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            pass
    asked.send(bytes([status & 255]))
    os._exit(0)


address, program, *modules = sys.argv[1:]
before = dict(os.environ)
for module in modules:
    importlib.import_module(module)
set_by_modules = {name: value for name, value in os.environ.items() if before.get(name) != value}
with open(program, encoding="utf-8") as source:
    code = compile(source.read(), program, "exec", dont_inherit=True)
door = socket.socket(socket.AF_UNIX)
door.bind(address)
door.listen(64)
print("ready", flush=True)
running = 0
while True:
    asked, _ = door.accept()
    if os.fork() == 0:
        door.close()
        run(asked, program, code)
    asked.close()
    running += 1
    while running > 0 and os.waitpid(-1, os.WNOHANG)[0] != 0:
        running -= 1
