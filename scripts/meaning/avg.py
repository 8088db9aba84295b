"""avg.py OUT A.npy B.npy [share of A]: mean of two tables of the same basis"""

import sys, numpy as np

a = float(sys.argv[4]) if len(sys.argv) > 4 else 0.5
np.save(sys.argv[1], (a * np.load(sys.argv[2]) + (1 - a) * np.load(sys.argv[3])).astype(np.float32))
