"""What the peers in Python share: the work comes as a JSON file, the answer goes to standard output as JSON."""
import json
import sys
import time


def answer(prepare):
    """prepare(work) returns a function that does the work once; its last result is given back with all times."""
    with open(sys.argv[1], encoding="ascii") as file:
        work = json.load(file)
    run = prepare(work)
    result, seconds = run(), []
    for _ in range(work["repetitions"]):
        start = time.process_time()
        result = run()
        seconds.append(time.process_time() - start)
    json.dump({"seconds": seconds, **result}, sys.stdout, default=lambda array: array.tolist())
